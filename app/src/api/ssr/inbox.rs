//! What the inbox is made of.

use contract::{
    id::TenantId,
    scope::{Right, Role},
};
use governance::{Cx, error::role_lacks, inbox, member};

use super::answer;
use crate::{
    problem::Problem,
    view::{
        inbox::{Asked, DoneRow, InboxPage, WaitingRow},
        people::{Names, known},
    },
};

/// The inbox of whoever acts in the tenant; who only reads has none.
pub(in crate::api) async fn page(cx: &Cx, tenant: TenantId) -> Result<InboxPage, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    if !role.may(Right::Operate) {
        return answer(Err(role_lacks("an inbox", role.as_str()).into()));
    }
    let names = answer(member::names(cx).await)?;
    let waiting = answer(inbox::waiting(cx).await)?;
    let (mine, others): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|one| one.is_mine);
    let rows = |waiting: Vec<inbox::Waiting>| {
        waiting.into_iter().map(|one| row(one, &names)).collect::<Vec<_>>()
    };
    let done = answer(inbox::done(cx).await)?.into_iter();
    Ok(InboxPage {
        tenant,
        mine: rows(mine),
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

fn row(waiting: inbox::Waiting, names: &Names) -> WaitingRow {
    WaitingRow {
        asked: match waiting.asked {
            inbox::Asked::Review => Asked::Review,
            inbox::Asked::Ratify => Asked::Ratify,
            inbox::Asked::Activate => Asked::Activate,
            inbox::Asked::Answer => Asked::Answer,
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
