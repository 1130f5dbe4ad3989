//! Deleting what never came into force.

use contract::id::PolicyId;
use entity::{policy as table, policy_version as versions};
use sea_orm::{ColumnTrait, QueryFilter};

use super::lock;
use crate::{
    audit::Event,
    cx::Cx,
    error::{Result, invalid_transition},
    permission,
};

/// Deletes a policy with its versions; its code is free again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `POLICY_HAS_HISTORY` once a version was ratified.
pub async fn delete(cx: &Cx, id: PolicyId) -> Result<()> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    let policy = lock(&tx, id).await?;
    if policy.ratified_ever {
        let from = if policy.active_version.is_some() { "active" } else { "inactive" };
        return Err(invalid_transition("POLICY_HAS_HISTORY", from, "delete").into());
    }
    // Before the row goes, because whoever makes a policy with its code holds the head row and waits.
    tx.head().await?;
    let rows = tx.delete::<versions::Entity>().filter(versions::Column::PolicyId.eq(id.0));
    rows.exec(tx.connection()).await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    let event = Event::new("policy.delete", "policy", id)
        .with("latest_version", entity::column::number(policy.latest_version));
    tx.commit(cx, event).await
}
