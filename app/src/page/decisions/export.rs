//! The decisions that the filters show, as a file.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::text::{url, words};

/// A button for each format of the log under `query`, once a range of time is chosen. Each export is in the audit log.
#[component]
pub(super) fn Export(tenant: TenantId, query: String, has_range: bool) -> impl IntoView {
    let form = if has_range {
        view! {
            <form method="post" action=url::EXPORT class="row">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="query" value=query/>
                <button name="format" value="ndjson">"NDJSON"</button>
                <button name="format" value="csv">"CSV"</button>
                <span class="text-muted text-xs">{words::decisions::EXPORT_SAYS}</span>
            </form>
        }
        .into_any()
    } else {
        view! { <p class="text-muted">{words::decisions::EXPORT_NEEDS_RANGE}</p> }.into_any()
    };
    view! {
        <details class="disclosure saved">
            <summary>{words::decisions::EXPORT}</summary>
            {form}
        </details>
    }
}
