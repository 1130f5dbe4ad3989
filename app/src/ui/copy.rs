//! A button that copies.

use std::time::Duration;

use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::text::words;

/// How long the button says that it has copied.
const SAID_FOR: Duration = Duration::from_secs(2);

/// Copies `text`; `what` names it for people who do not see the button's place. Without scripts the
/// style sheet hides it, and the text beside it can be selected.
#[component]
pub(crate) fn CopyButton(text: String, what: &'static str) -> impl IntoView {
    let copied = RwSignal::new(false);
    let copy = move |_| {
        // The answer is not awaited: a refused clipboard leaves the text to be selected by hand.
        let _ = window().navigator().clipboard().write_text(&text);
        copied.set(true);
        set_timeout(move || copied.set(false), SAID_FOR);
    };
    view! {
        <button
            type="button"
            class="copy"
            class:done=copied
            aria-label=words::copy(what)
            title=words::COPY
            on:click=copy
        >
            {icon(Icon::Copy)}
            <span role="status" class="copied">{move || copied.get().then_some(words::COPIED)}</span>
        </button>
    }
}
