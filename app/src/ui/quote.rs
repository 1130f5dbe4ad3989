//! A quoted text of a user or a document.

use leptos::prelude::*;

pub(crate) fn quote(text: String) -> AnyView {
    view! {
        <p class="quote">
            <bdi>{text}</bdi>
        </p>
    }
    .into_any()
}
