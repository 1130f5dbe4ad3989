//! Errors and refusals as a page, and the status of the response.

use std::sync::Arc;

use kit::any_view;
use kit::problem::Problem;
pub use kit::ui::problem::problem_note;
use leptos::prelude::*;

use super::{
    code::short_digest,
    facts::fact,
    heading::Heading,
    icon::{Icon, icon},
    inline_code::quoted,
};
use crate::text::{
    errors::{ErrorText, describe},
    messages,
};

/// A function that sets the HTTP status of the response while a page is rendered on the server.
#[derive(Clone)]
pub struct StatusHook(pub Arc<dyn Fn(u16) + Send + Sync>);

/// Returns the problem of an unknown address, and sets the status of the response.
pub fn page_not_found() -> Problem {
    let correlation_id = crate::request::correlation_id();
    let problem =
        Problem { correlation_id: Some(correlation_id.as_str().into()), ..Problem::missing() };
    if let Some(StatusHook(set_status)) = use_context::<StatusHook>() {
        set_status(problem.status);
    }
    problem
}

/// Returns the description of an error and the next step.
pub fn summary(problem: &Problem) -> String {
    let ErrorText { text, next, .. } = describe(problem);
    format!("{text} {next}")
}

/// An error page: what happened, what to do, and the correlation ID.
pub fn problem_page(problem: Problem) -> AnyView {
    let ErrorText { title, text, next } = describe(&problem);
    let retry = problem.is_temporary().then(|| {
        view! {
            <a class="button primary" href="" rel="external">
                {icon(Icon::Refresh)}
                "Retry"
            </a>
        }
    });
    let correlation_id = problem.correlation_id.map(|id| {
        let what = messages::CORRELATION_ID;
        fact(what, short_digest(id.into_string(), what))
    });
    any_view! {
        <section class="problem">
            <p class="problem-status">{problem.status}</p>
            <Heading title />
            <p class="text-muted">{quoted(&text)}</p>
            <p class="text-muted">{next}</p>
            <p class="row">
                {retry} <a class="button" href="/">
                    {messages::HOME}
                </a>
            </p>
            <dl class="problem-facts">
                {fact("Code", view! { <code>{problem.code}</code> })} {correlation_id}
            </dl>
        </section>
    }
}
