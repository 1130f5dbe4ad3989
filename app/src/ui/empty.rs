//! Empty states of lists.

#[cfg(feature = "ssr")]
use contract::id::TenantId;
use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::code::CodeBlock;
#[cfg(feature = "ssr")]
use crate::text::curl;
use crate::text::messages;

/// An empty state: a title, and a text that names the next step.
#[component]
pub(crate) fn Empty(title: &'static str, text: &'static str) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">{title}</p>
            <p class="text-muted">{text}</p>
        </div>
    }
}

/// The empty state before the first decision, with a request that records one.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn FirstDecision(tenant: TenantId) -> impl IntoView {
    view! {
        <Empty title=messages::decisions::EMPTY text=messages::overview::EMPTY_NEXT />
        <CodeBlock text=curl::record(tenant) label=messages::overview::FIRST_REQUEST />
    }
}

/// The empty state before the first chain, with a request that starts one.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn FirstChain(tenant: TenantId) -> impl IntoView {
    view! {
        <Empty title=messages::chains::EMPTY text=messages::chains::EMPTY_NEXT />
        <CodeBlock text=curl::record_in_chain(tenant) label=messages::chains::FIRST_REQUEST />
    }
}

/// The empty state of a filtered list.
#[component]
pub(crate) fn NothingMatches(clear: String) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">{messages::NOTHING_MATCHES}</p>
            <p>
                <a href=clear>{messages::CLEAR_FILTERS}</a>
            </p>
        </div>
    }
}
