//! Lists without rows.

use contract::id::TenantId;
use leptos::prelude::*;

use super::code::CodeBlock;
use crate::text::{curl, words};

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

/// No decision was ever recorded: the request that records the first one.
#[component]
pub(crate) fn FirstDecision(tenant: TenantId) -> impl IntoView {
    view! {
        <Empty title=words::decisions::EMPTY text=words::overview::EMPTY_NEXT/>
        <CodeBlock text=curl::record(tenant) label=words::overview::FIRST_REQUEST/>
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
