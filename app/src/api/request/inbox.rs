//! Data of the inbox page.

use contract::{
    id::TenantId,
    scope::{Right, Role},
};
use governance::{Cx, access::member, base::error::role_lacks_permission, insight::inbox};

use super::into_problem;
use crate::{
    problem::Problem,
    view::{
        inbox::{DoneRow, InboxPage, RequestedAction, WaitingRow},
        names::{Names, known},
    },
};

/// Returns the inbox of a user whose role can act in the tenant. Read-only roles have no inbox.
pub(in crate::api) async fn page(cx: &Cx, tenant: TenantId) -> Result<InboxPage, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    if !role.has(Right::Operate) {
        return into_problem(Err(role_lacks_permission("an inbox", role.as_str()).into()));
    }
    let names = into_problem(member::names(cx).await)?;
    let waiting = into_problem(inbox::waiting(cx).await)?;
    let (own, others): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|version| version.is_actionable);
    let rows = |waiting: Vec<inbox::WaitingVersion>| {
        waiting.into_iter().map(|version| row(version, &names)).collect::<Vec<_>>()
    };
    let done = into_problem(inbox::completed_actions(cx).await)?.into_iter();
    Ok(InboxPage {
        tenant,
        mine: rows(own),
        others: rows(others),
        done: done
            .map(|done| DoneRow {
                action: done.action,
                policy: done.policy_id,
                name: done.policy_name,
                version: done.version,
                at: done.at,
            })
            .collect(),
    })
}

fn row(waiting: inbox::WaitingVersion, names: &Names) -> WaitingRow {
    WaitingRow {
        requested_action: match waiting.action {
            inbox::RequestedAction::Review => RequestedAction::Review,
            inbox::RequestedAction::Ratify => RequestedAction::Ratify,
            inbox::RequestedAction::Activate => RequestedAction::Activate,
            inbox::RequestedAction::Answer => RequestedAction::Answer,
        },
        policy: waiting.policy_id,
        name: waiting.policy_name,
        version: waiting.version,
        revision: waiting.revision,
        sealed: waiting.sealed_revision,
        since: waiting.since,
        by: known(waiting.by, names),
    }
}
