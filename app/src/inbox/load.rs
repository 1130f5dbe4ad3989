//! Data of the inbox page.

use contract::{
    id::TenantId,
    scope::{Right, Role},
};
use governance::{
    Cx,
    base::error::role_lacks_permission,
    insight::inbox::{self, AssignedAlert},
};

use super::view::{
    AlertRow, Cause, DoneRow, InboxItem, InboxPage, InboxQuery, RequestedAction, WaitingRow,
};
use crate::{
    member::names::{Names, known},
    problem::Problem,
    request::{counts, directory, into_problem},
};

/// Returns the inbox of a user whose role can act in the tenant. Read-only roles have no inbox.
pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    query: &InboxQuery,
) -> Result<InboxPage, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    if !role.has(Right::Operate) {
        return into_problem(Err(role_lacks_permission("the inbox", Right::Operate, role).into()));
    }
    let names = &directory(cx).await?.names;
    let waiting = into_problem(inbox::waiting(cx, &counts(cx).await?).await)?;
    let (own, others): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|version| version.is_actionable);
    let alerts = into_problem(inbox::assigned_alerts(cx).await)?.into_iter();
    let alerts = alerts.map(|alert| InboxItem::Alert(alert_row(alert, names)));
    let items = |waiting: Vec<inbox::WaitingVersion>| -> Vec<InboxItem> {
        waiting.into_iter().map(|version| InboxItem::Version(row(version, names))).collect()
    };
    let mut mine = items(own);
    mine.extend(alerts);
    mine.sort_by_key(InboxItem::since);
    let others = items(others);
    let totals = [mine.len(), others.len()];
    let matching = |items: Vec<InboxItem>| {
        items.into_iter().filter(|item| query.matches(item)).collect::<Vec<_>>()
    };
    let done = into_problem(inbox::completed_actions(cx).await)?.into_iter();
    Ok(InboxPage {
        tenant,
        now: cx.now,
        totals,
        mine: matching(mine),
        others: matching(others),
        done: done
            .map(|done| DoneRow {
                action: done.action,
                policy: done.policy_id,
                name: done.policy_name,
                version: done.version,
                at: done.at,
            })
            .filter(|row| query.matches_text([Some(&*row.name)]))
            .collect(),
    })
}

pub(crate) fn row(waiting: inbox::WaitingVersion, names: &Names) -> WaitingRow {
    WaitingRow {
        requested_action: match waiting.action {
            inbox::RequestedAction::Review => RequestedAction::Review,
            inbox::RequestedAction::Ratify => RequestedAction::Ratify,
            inbox::RequestedAction::Activate => RequestedAction::Activate,
            inbox::RequestedAction::Answer => RequestedAction::Answer,
            inbox::RequestedAction::Reply => RequestedAction::Reply,
        },
        cause: match waiting.cause {
            inbox::Cause::Submitted => Cause::Submitted,
            inbox::Cause::Accepted => Cause::Accepted,
            inbox::Cause::ChangesRequested => Cause::ChangesRequested,
            inbox::Cause::Rejected => Cause::Rejected,
            inbox::Cause::Ratified => Cause::Ratified,
            inbox::Cause::Mentioned => Cause::Mentioned,
        },
        policy: waiting.policy_id,
        name: waiting.policy_name,
        version: waiting.version,
        revision: waiting.revision,
        sealed: waiting.sealed_revision,
        since: waiting.since,
        by: known(waiting.by, names),
        comments: waiting.comments,
        open_comments: waiting.open_comments,
    }
}

fn alert_row(alert: AssignedAlert, names: &Names) -> AlertRow {
    AlertRow {
        id: alert.id,
        severity: alert.severity,
        message: alert.message,
        since: alert.since,
        by: known(alert.by, names),
    }
}
