//! The copy button.

use leptos::prelude::*;

use crate::{
    markup::icon::{Icon, icon},
    text::messages,
};

/// Copies the text of the adjacent `code` element. `what` names that text for screen readers.
///
/// Without scripts the style sheet hides the button, and the text can be selected.
#[component]
pub(crate) fn CopyButton(what: &'static str) -> impl IntoView {
    view! {
        <button
            type="button"
            class="copy"
            data-copy=""
            aria-label=messages::copy(what)
            title=messages::COPY
        >
            {icon(Icon::Copy)}
            <span role="status" class="copied"></span>
        </button>
    }
}
