//! The page for unknown addresses.

use leptos::prelude::*;

use crate::ui::{
    problem::{ProblemPage, page_not_found},
    public::PublicFrame,
};

#[component]
pub(crate) fn MissingPage() -> impl IntoView {
    view! {
        <PublicFrame>
            <ProblemPage problem=page_not_found() />
        </PublicFrame>
    }
}
