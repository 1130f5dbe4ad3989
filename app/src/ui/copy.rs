//! A button that copies.

use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::text::words;

/// Copies the text of the `code` beside it; `what` names it for people who do not see the button's place.
/// Without scripts the style sheet hides it, and the text can be selected.
#[component]
pub(crate) fn CopyButton(what: &'static str) -> impl IntoView {
    view! {
        <button type="button" class="copy" data-copy="" aria-label=words::copy(what) title=words::COPY>
            {icon(Icon::Copy)}
            <span role="status" class="copied"></span>
        </button>
    }
}
