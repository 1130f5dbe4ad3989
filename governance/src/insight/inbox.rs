//! Inbox: the versions that need the signed-in user's action, those that wait for other users, the alerts
//! assigned to the user, and the user's completed actions.

mod counts;
mod open_alerts;
mod requested_action;
mod rule_changes;

use contract::policy::ReviewVerdict;

use self::requested_action::{InboxUser, VersionFacts};
pub use self::{
    counts::{AssignedAlert, Counts, counts},
    open_alerts::{Attention, RuleAlerts, attention},
    requested_action::{Cause, RequestedAction},
    rule_changes::{RuleChanges, rule_changes},
};
use crate::{access::permission, base::prelude::*};

/// A version that needs an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingVersion {
    pub action: RequestedAction,
    /// The event that made it wait.
    pub cause: Cause,
    pub policy_id: PolicyId,
    pub policy_name: String,
    pub version: u32,
    /// The current draft revision.
    pub revision: u32,
    /// The revision of the last review submission.
    pub sealed_revision: Option<u32>,
    pub since: Timestamp,
    /// The user or API key whose action made it wait.
    pub by: Option<String>,
    /// Whether the caller can perform the action now.
    pub is_actionable: bool,
    /// The number of comment threads.
    pub comments: u64,
    /// The number of comment threads that are not resolved.
    pub open_comments: u64,
}

/// An action that the caller performed on a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedAction {
    /// The action, as named in the audit log.
    pub action: String,
    pub policy_id: PolicyId,
    pub policy_name: String,
    pub version: u32,
    pub at: Timestamp,
}

/// The maximum numbers of waiting versions and of completed actions that are read.
const WAITING_MAX: i64 = 500;
const COMPLETED_MAX: i64 = 50;

fn load_waiting(
    row: &QueryResult,
    user: InboxUser,
    review_required: bool,
) -> Result<Option<WaitingVersion>> {
    let facts = facts(row)?;
    let Some(due) = facts.pending_action(review_required) else { return Ok(None) };
    Ok(Some(WaitingVersion {
        action: due.action,
        cause: due.cause,
        policy_id: PolicyId(row.try_get_by_index(0)?),
        policy_name: row.try_get_by_index(1)?,
        version: unsigned(row.try_get_by_index(2)?),
        revision: facts.revision,
        sealed_revision: facts.sealed.as_ref().map(|sealed| sealed.revision),
        since: due.since,
        is_actionable: facts.is_for(due.action, user),
        by: due.by,
        comments: threads(row, 20)?,
        open_comments: threads(row, 21)?,
    }))
}

/// Converts a time in milliseconds that a statement wrote as JSON.
fn time(ms: i64) -> Result<Timestamp> {
    Timestamp::from_millis(ms).or_bug("a time without a date")
}

fn threads(row: &QueryResult, index: usize) -> Result<u64> {
    Ok(row.try_get_by_index::<i64>(index)?.unsigned_abs())
}

fn timestamp(row: &QueryResult, index: usize) -> Result<Option<Timestamp>> {
    Ok(row.try_get_by_index::<Option<DateTimeUtc>>(index)?.map(from_column))
}

fn facts(row: &QueryResult) -> Result<VersionFacts> {
    let status: String = row.try_get_by_index(4)?;
    let event = |at_index: usize, by_index: usize| -> Result<Option<requested_action::Event>> {
        let by = row.try_get_by_index(by_index)?;
        Ok(timestamp(row, at_index)?.map(|at| requested_action::Event { at, by }))
    };
    let sealed = match (row.try_get_by_index::<Option<i32>>(12)?, event(13, 14)?) {
        (Some(revision), Some(event)) => {
            let sealer = row.try_get_by_index(15)?;
            Some(requested_action::LastSeal { revision: unsigned(revision), sealer, event })
        }
        _ => None,
    };
    let verdict: Option<String> = row.try_get_by_index(16)?;
    let verdict = verdict.map(|name| name.parse::<ReviewVerdict>()).transpose();
    let verdict = verdict.map_err(|()| Error::bug("a review record without a verdict"))?;
    Ok(VersionFacts {
        status: status
            .parse::<VersionStatus>()
            .map_err(|()| Error::bug("a version without a state"))?,
        revision: unsigned(row.try_get_by_index(3)?),
        makers: row.try_get_by_index(5)?,
        has_unknown_maker: row.try_get_by_index(19)?,
        submitted: event(6, 7)?,
        rejected: event(8, 9)?,
        ratified: event(10, 11)?,
        sealed,
        record: verdict.zip(event(17, 18)?),
    })
}

// SQL: events contain version IDs as text.
const SELECT_COMPLETED: &str = "SELECT e.action, p.id, p.name, v.version, e.occurred_at \
     FROM audit_events e \
     JOIN policy_versions v ON v.tenant_id = $1 AND v.id::text = e.object_id \
     JOIN policies p ON p.tenant_id = $1 AND p.id = v.policy_id \
     WHERE e.tenant_id = $1 AND e.actor_id = $2 AND e.object_type = 'policy_version' \
       AND e.action <> 'policy_version.edit' \
     ORDER BY e.seq DESC LIMIT $3";

/// Returns the actions that the caller performed on versions, newest first, except edits of drafts.
///
/// # Errors
/// `HUMAN_REQUIRED`.
pub async fn completed_actions(cx: &Cx) -> Result<Vec<CompletedAction>> {
    let user_id = cx.human()?.user_id;
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let values = [user_id.to_string().into(), COMPLETED_MAX.into()];
    let rows = tenant.tuples(SELECT_COMPLETED, values).await?;
    let action = |(action, policy, policy_name, version, at)| CompletedAction {
        action,
        policy_id: PolicyId(policy),
        policy_name,
        version: unsigned(version),
        at: from_column(at),
    };
    Ok(rows.into_iter().map(action).collect())
}
