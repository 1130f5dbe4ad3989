//! The result of an action on alerts.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    alert::{
        act::UndoAlerts,
        view::{
            action::{ActionSummary as Summary, AlertAction},
            row::AlertRow,
        },
    },
    key::Attribution,
    text::{messages, url},
    ui::{
        filter_menu::hidden,
        icon::{Icon, icon},
        time::Minute,
    },
};

/// What was done with how many alerts, with a button that undoes it, and each alert that had changed first.
/// With scripts, the notice of a complete action is a toast (`public/page.js`). Without scripts, it stays on
/// the page.
#[component]
pub(super) fn ResultNotice(
    tenant: TenantId,
    /// The address of the page.
    page: String,
    summary: Summary<AlertRow>,
) -> impl IntoView {
    use crate::alert::words as strings;
    let sentence = summary.sentence();
    let Summary { action, failed, missing, undo, .. } = summary;
    let is_complete = failed.is_empty() && missing == 0;
    let (tone, drawing) = if is_complete { ("allow", Icon::Allow) } else { ("warn", Icon::Warn) };
    let are_acknowledged =
        action == AlertAction::Acknowledged && failed.iter().all(|row| row.acknowledged.is_some());
    let lead = if are_acknowledged { strings::already_acknowledged } else { strings::conflicts };
    let failures = (!failed.is_empty()).then(|| unchanged_list(tenant, lead(failed.len()), failed));
    let missing = (missing > 0).then(|| view! { <p>{strings::not_found(missing)}</p> });
    let undo = undo.map(|at| {
        let fields = vec![("tenant", tenant.to_string()), ("at", at.to_string()), ("back", page)];
        view! {
            <form method="post" action=UndoAlerts::url() data-once="" data-undo="">
                {hidden(fields)}
                <button data-key="z">{messages::UNDO}</button>
            </form>
        }
    });
    view! {
        <div class=format!("note {tone}") role="status" data-toast=is_complete.then_some("")>
            {icon(drawing)}
            <div>
                <p class="font-semibold">{sentence}</p>
                {failures}
                {missing}
            </div>
            {undo}
        </div>
    }
}

/// Renders the alerts that an action leaves as they are, with what happened to each.
pub(super) fn unchanged_list(
    tenant: TenantId,
    lead: String,
    rows: Vec<AlertRow>,
) -> impl IntoView + use<> {
    let row = move |row| view! { <Unchanged tenant row /> };
    view! {
        <p>{lead}</p>
        <ul>{rows.into_iter().map(row).collect_view()}</ul>
    }
}

#[component]
fn Unchanged(tenant: TenantId, row: AlertRow) -> impl IntoView {
    use crate::alert::words as strings;
    let title = row.title().to_owned();
    let state = match (row.acknowledged, row.snoozed_until) {
        (Some((by, at)), _) => view! { <Attribution by at /> }.into_any(),
        (None, Some(until)) => {
            view! { <span>{strings::SNOOZED_UNTIL} " " <Minute at=until /></span> }.into_any()
        }
        (None, None) => {
            let assignee = row.assignee.map(|name| strings::assigned_to(&name));
            assignee.unwrap_or_else(|| strings::NOT_ASSIGNED.to_owned()).into_any()
        }
    };
    view! {
        <li>
            <a href=url::alert(tenant, row.id)>
                <bdi class="breaks">{title}</bdi>
            </a>
            " "
            {state}
        </li>
    }
}
