//! The result of acknowledging several alerts.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::{
    markup::icon::{Icon, icon},
    page::keys::Attribution,
    text::{messages, url},
    view::alert::{AcknowledgeSummary as Summary, AlertRow},
};

/// The number of acknowledged alerts, and each alert that was already acknowledged, with the user who did it.
#[component]
pub(super) fn ResultNotice(tenant: TenantId, summary: Summary<AlertRow>) -> impl IntoView {
    use messages::alerts as strings;
    let Summary { done, failed, missing } = summary;
    let is_complete = failed.is_empty() && missing == 0;
    let (tone, drawing) = if is_complete { ("allow", Icon::Allow) } else { ("warn", Icon::Warn) };
    let failures = (!failed.is_empty()).then(|| {
        let message = strings::conflicts(failed.len());
        let row = move |row: AlertRow| view! { <Failure tenant row /> };
        view! {
            <p>{message}</p>
            <ul>{failed.into_iter().map(row).collect_view()}</ul>
        }
    });
    let missing = (missing > 0).then(|| view! { <p>{strings::not_found(missing)}</p> });
    view! {
        <div class=format!("note {tone}") role="status">
            {icon(drawing)}
            <div>
                <p class="font-semibold">{strings::acknowledged(done)}</p>
                {failures}
                {missing}
            </div>
        </div>
    }
}

#[component]
fn Failure(tenant: TenantId, row: AlertRow) -> impl IntoView {
    let acknowledged_by = row.acknowledged.map(|(by, at)| view! { <Attribution by at /> });
    view! {
        <li>
            <a href=url::alert(tenant, row.id)>
                <bdi class="breaks">{row.message}</bdi>
            </a>
            " "
            {acknowledged_by}
        </li>
    }
}
