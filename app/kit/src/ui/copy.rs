//! The copy button.

use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::text::messages;

/// Copies `value`, or the text of the adjacent `code` element if it is empty. `what` names the copied text for
/// screen readers.
///
/// Without scripts the style sheet hides the button, and the text can be selected.
#[component]
pub fn CopyButton(what: &'static str, #[prop(optional, into)] value: String) -> impl IntoView {
    view! {
        <button
            type="button"
            class="copy"
            data-copy=value
            data-copied=messages::COPIED
            aria-label=messages::copy(what)
            title=messages::COPY
        >
            {icon(Icon::Copy)}
            <span role="status" class="copied"></span>
        </button>
    }
}
