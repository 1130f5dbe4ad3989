//! Errors and refusals, as a page and as a note.

use std::sync::Arc;

use leptos::{html, prelude::*};

use super::{
    code::{Id, ShortDigest},
    facts::fact,
    heading::Heading,
    icon::{Icon, icon},
    inline_code::quoted,
    note::{Tone, note},
};
use crate::{
    problem::Problem,
    text::{
        errors::{ErrorText, describe},
        messages,
    },
};

/// A function that sets the HTTP status of the response while a page is rendered on the server.
#[derive(Clone)]
pub(crate) struct StatusHook(pub(crate) Arc<dyn Fn(u16) + Send + Sync>);

/// Returns the problem of an unknown address, and sets the status of the response.
pub(crate) fn page_not_found() -> Problem {
    let problem = Problem::missing();
    #[cfg(feature = "ssr")]
    let problem = Problem {
        correlation_id: Some(crate::request::correlation_id().as_str().into()),
        ..problem
    };
    if let Some(StatusHook(set_status)) = use_context::<StatusHook>() {
        set_status(problem.status);
    }
    problem
}

/// Returns the description of an error and the next step.
pub(crate) fn summary(problem: &Problem) -> String {
    let ErrorText { text, next, .. } = describe(problem);
    format!("{text} {next}")
}

/// An error page: what happened, what to do, and the correlation ID.
#[component]
pub(crate) fn ProblemPage(problem: Problem) -> impl IntoView {
    let ErrorText { title, text, next } = describe(&problem);
    let retry = problem.is_temporary().then(|| {
        view! {
            <a class="button primary" href="" rel="external">
                {icon(Icon::Refresh)}
                {messages::RETRY}
            </a>
        }
    });
    let correlation_id = problem.correlation_id.map(|id| {
        let what = messages::CORRELATION_ID;
        fact(what, view! { <ShortDigest digest=id.into_string() what /> })
    });
    view! {
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
                {fact(messages::CODE, view! { <code>{problem.code}</code> })} {correlation_id}
            </dl>
        </section>
    }
}

/// An error next to its form. It takes the focus, because the pressed button loses it. If the action required a
/// recent sign-in, the user has confirmed the identity since, and the action has to be repeated.
#[component]
pub(crate) fn ProblemNote(problem: Problem) -> impl IntoView {
    if problem.asks_for_confirmation() {
        note(Tone::Info, Some("status"), messages::IDENTITY_CONFIRMED)
    } else {
        view! { <ErrorNote problem /> }.into_any()
    }
}

#[component]
fn ErrorNote(problem: Problem) -> impl IntoView {
    let ErrorText { text, next, .. } = describe(&problem);
    let note = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(note) = note.get() {
            let _ = note.focus();
        }
    });
    view! {
        <div node_ref=note class="note deny" role="alert" tabindex="-1">
            {icon(Icon::Deny)}
            <div>
                <p class="font-semibold">{quoted(&text)}</p>
                <p>{next}</p>
                <ProblemDetails problem />
            </div>
        </div>
    }
}

#[component]
fn ProblemDetails(problem: Problem) -> impl IntoView {
    view! {
        <p class="text-xs text-muted">
            {problem.code} " "
            {problem
                .correlation_id
                .map(|id| view! { <Id id=id.into_string() what=messages::CORRELATION_ID /> })}
        </p>
    }
}
