//! The export of the filtered decisions.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::text::{messages, url};

/// The export buttons for the decisions that match `query`, one per format. An export needs a time range, and
/// is recorded in the audit log.
#[component]
pub(super) fn Export(tenant: TenantId, query: String, has_range: bool) -> impl IntoView {
    let form = if has_range {
        view! {
            <form method="post" action=url::EXPORT class="row">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="query" value=query />
                <button name="format" value="ndjson">
                    "NDJSON"
                </button>
                <button name="format" value="csv">
                    "CSV"
                </button>
                <span class="text-muted text-xs">{messages::decisions::EXPORT_HELP}</span>
            </form>
        }
        .into_any()
    } else {
        view! { <p class="text-muted">{messages::decisions::EXPORT_NEEDS_RANGE}</p> }.into_any()
    };
    view! {
        <details class="disclosure saved">
            <summary>{messages::decisions::EXPORT}</summary>
            {form}
        </details>
    }
}
