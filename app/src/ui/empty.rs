//! Lists without rows.

use leptos::prelude::*;

use crate::text::words;

/// Nothing is there yet: what that means, and the next step.
#[component]
pub(crate) fn Empty(title: &'static str, text: &'static str) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">{title}</p>
            <p class="text-muted">{text}</p>
        </div>
    }
}

/// Nothing matches the filters.
#[component]
pub(crate) fn NothingMatches(clear: String) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">{words::NOTHING_MATCHES}</p>
            <p>
                <a href=clear>{words::CLEAR_FILTERS}</a>
            </p>
        </div>
    }
}
