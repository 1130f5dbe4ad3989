//! Texts that users enter.

use leptos::prelude::*;

/// Renders a text of a user. Its direction of writing does not change that of the text around it.
pub(crate) fn bdi(text: &str) -> AnyView {
    view! { <bdi>{text.to_owned()}</bdi> }.into_any()
}
