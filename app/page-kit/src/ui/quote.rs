//! A quoted text of a user or a document.

use kit::any_view;
use leptos::prelude::*;

pub fn quote(text: String) -> AnyView {
    any_view! {
        <p class="quote">
            <bdi>{text}</bdi>
        </p>
    }
}
