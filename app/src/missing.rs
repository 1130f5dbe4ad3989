//! The page for unknown addresses.

use crate::{prelude::*, ui::problem::ProblemPage};

#[component]
pub(crate) fn MissingPage() -> impl IntoView {
    view! {
        <PublicFrame>
            <ProblemPage problem=page_not_found() />
        </PublicFrame>
    }
}
