//! Empty states of lists.

use contract::id::TenantId;
use kit::any_view;
use leptos::prelude::*;

use super::code::CodeBlock;
use crate::text::{curl, messages};

/// An empty state: a title, and a text that names the next step.
#[component]
pub(crate) fn Empty(title: &'static str, #[prop(into)] text: String) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">{title}</p>
            <p class="text-muted">{text}</p>
        </div>
    }
}

/// The empty state before the first decision, with a request that records one.
pub(crate) fn first_decision(tenant: TenantId) -> AnyView {
    any_view! {
        <Empty
            title="No decisions recorded yet"
            text="Once a policy is active, this request records the first decision. GOVERN_KEY is one of your API keys."
        />
        <CodeBlock text=curl::record(tenant) label="First request" />
    }
}

/// The empty state of a filtered list.
#[component]
pub(crate) fn NothingMatches(clear: String) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">"No results"</p>
            <p>
                <a href=clear>{messages::CLEAR_FILTERS}</a>
            </p>
        </div>
    }
}
