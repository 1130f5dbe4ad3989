//! Empty states of lists.

use contract::id::TenantId;
use kit::any_view;
use leptos::prelude::*;

use super::code::code_block;
use crate::text::{curl, messages};

/// An empty state: a title, and a text that names the next step.
pub fn empty_state(title: &'static str, text: impl Into<String>) -> AnyView {
    let text = text.into();
    any_view! {
        <div class="empty">
            <p class="font-semibold">{title}</p>
            <p class="text-muted">{text}</p>
        </div>
    }
}

/// The empty state before the first decision, with a request that records one.
pub fn first_decision(tenant: TenantId) -> AnyView {
    any_view! {
        {empty_state(
            "No decisions recorded yet",
            "Once a policy is active, this request records the first decision. GOVERN_KEY is one of your API keys.",
        )}
        {code_block(curl::record(tenant), "First request")}
    }
}

/// The empty state of a filtered list.
#[component]
pub fn NothingMatches(clear: String) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">"No results"</p>
            <p>
                <a href=clear>{messages::CLEAR_FILTERS}</a>
            </p>
        </div>
    }
}
