//! The open alerts that are assigned to the signed-in user.

use contract::{
    id::{AlertId, UserId},
    rule::Severity,
    time::Timestamp,
};
use entity::column::{TextEnum, from_column};
use sea_orm::{QueryResult, prelude::DateTimeUtc};

use super::WAITING_MAX;
use crate::base::{
    error::Result,
    tenancy::{TenantTx, timestamp_value},
};

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

// SQL: the last assignment of each alert. Events contain alert IDs as text.
const SELECT_ASSIGNED: &str = "SELECT a.id, a.severity, a.message, \
       coalesce(e.occurred_at, a.created_at), e.actor_id \
     FROM alerts a \
     LEFT JOIN LATERAL ( \
       SELECT e.occurred_at, e.actor_id FROM audit_events e \
         WHERE e.tenant_id = $1 AND e.object_id = a.id::text AND e.action = 'alert.assign' \
         ORDER BY e.seq DESC LIMIT 1) e ON true \
     WHERE a.tenant_id = $1 AND a.assigned_to = $2 AND a.acknowledged_at IS NULL \
       AND (a.snoozed_until IS NULL OR a.snoozed_until <= $3) \
     ORDER BY 4, a.sequence LIMIT $4";

/// Returns the open alerts that are assigned to the user, longest waiting first.
pub(super) async fn load(
    tx: &TenantTx,
    user: UserId,
    now: Timestamp,
) -> Result<Vec<AssignedAlert>> {
    let values = [user.0.into(), timestamp_value(now), WAITING_MAX.into()];
    let rows = tx.all(SELECT_ASSIGNED, values).await?;
    rows.iter().map(alert).collect()
}

fn alert(row: &QueryResult) -> Result<AssignedAlert> {
    Ok(AssignedAlert {
        id: AlertId(row.try_get_by_index(0)?),
        severity: row.try_get_by_index::<TextEnum<Severity>>(1)?.0,
        message: row.try_get_by_index(2)?,
        since: from_column(row.try_get_by_index::<DateTimeUtc>(3)?),
        by: row.try_get_by_index(4)?,
    })
}
