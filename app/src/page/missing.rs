//! The page for unknown addresses.

use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    problem::Problem,
    ui::{problem::ProblemPage, public::PublicFrame},
};

/// A function that sets the HTTP status of the response while a page is rendered on the server.
#[derive(Clone)]
pub(crate) struct StatusHook(pub(crate) Arc<dyn Fn(u16) + Send + Sync>);

/// Returns the problem of an unknown address, and sets the status of the response.
pub(crate) fn page_not_found() -> Problem {
    let problem = Problem::missing();
    if let Some(StatusHook(set_status)) = use_context::<StatusHook>() {
        set_status(problem.status);
    }
    problem
}

/// The page of a path without a route.
#[component]
pub(crate) fn MissingPage() -> impl IntoView {
    view! {
        <PublicFrame>
            <ProblemPage problem=page_not_found() />
        </PublicFrame>
    }
}
