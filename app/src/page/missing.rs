//! Addresses that name nothing.

use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    problem::Problem,
    ui::{problem::ProblemPage, public::PublicFrame},
};

/// How a page that is rendered on the server tells the answer its status.
#[derive(Clone)]
pub(crate) struct StatusHook(pub(crate) Arc<dyn Fn(u16) + Send + Sync>);

/// The problem of an address that names nothing; the answer takes its status.
pub(crate) fn noted() -> Problem {
    let problem = Problem::missing();
    if let Some(StatusHook(note)) = use_context::<StatusHook>() {
        note(problem.status);
    }
    problem
}

/// A path that no page has.
#[component]
pub(crate) fn MissingPage() -> impl IntoView {
    view! {
        <PublicFrame>
            <ProblemPage problem=noted()/>
        </PublicFrame>
    }
}
