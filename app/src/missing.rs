//! The page for unknown addresses.

use leptos::prelude::*;

use crate::ui::{
    problem::{ProblemPage, page_not_found},
    public::PublicFrame,
};

#[component]
pub(crate) fn MissingPage() -> impl IntoView {
    // The page of the server states the correlation ID, which the browser does not have.
    #[cfg(feature = "ssr")]
    crate::ui::load::render_only();
    view! {
        <PublicFrame>
            <ProblemPage problem=page_not_found() />
        </PublicFrame>
    }
}
