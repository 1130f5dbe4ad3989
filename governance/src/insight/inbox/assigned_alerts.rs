//! The open alerts that are assigned to the signed-in user.

use contract::{id::AlertId, rule::Severity, time::Timestamp};

use super::time;
use crate::base::error::Result;

/// An open alert that is assigned to the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedAlert {
    pub id: AlertId,
    pub severity: Severity,
    /// A message for people.
    pub message: String,
    /// The time of the assignment.
    pub since: Timestamp,
    /// The user or API key that assigned the alert.
    pub by: Option<String>,
}

// SQL: the last assignment of each alert of the user `$4`, as JSON, with times in milliseconds. Events contain alert
// IDs as text. A macro, because the statement of the counts contains it.
macro_rules! select_assigned {
    () => {
        "(SELECT coalesce(json_agg(json_build_array(a.id, a.severity, a.message, \
             (extract(epoch FROM a.since) * 1000)::bigint, a.actor_id) \
             ORDER BY a.since, a.sequence), '[]')::text \
           FROM (SELECT a.id, a.severity, a.message, a.sequence, e.actor_id, \
               coalesce(e.occurred_at, a.created_at) AS since \
             FROM alerts a \
             LEFT JOIN LATERAL ( \
               SELECT e.occurred_at, e.actor_id FROM audit_events e \
                 WHERE e.tenant_id = $1 AND e.object_id = a.id::text AND e.action = 'alert.assign' \
                 ORDER BY e.seq DESC LIMIT 1) e ON true \
             WHERE a.tenant_id = $1 AND a.assigned_to = $4 AND a.acknowledged_at IS NULL \
               AND (a.snoozed_until IS NULL OR a.snoozed_until <= $5) \
             ORDER BY since, a.sequence LIMIT $2) a)"
    };
}
pub(super) use select_assigned;

/// The members of an assigned alert, with its time in milliseconds.
pub(super) type AssignedRow = (AlertId, Severity, String, i64, Option<String>);

pub(super) fn alert((id, severity, message, at, by): AssignedRow) -> Result<AssignedAlert> {
    Ok(AssignedAlert { id, severity, message, since: time(at)?, by })
}
