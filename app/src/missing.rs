//! The page for unknown addresses.

use page_kit::{prelude::*, ui::problem::problem_page};

pub(crate) fn missing_page() -> AnyView {
    any_view! { <PublicFrame>{problem_page(page_not_found())}</PublicFrame> }
}
