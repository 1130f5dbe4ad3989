//! Texts that users enter.

use kit::any_view;
use leptos::prelude::*;

/// Renders a text of a user. Its direction of writing does not change that of the text around it.
pub fn bdi(text: &str) -> AnyView {
    any_view! { <bdi>{text.to_owned()}</bdi> }
}
