//! Deletion of policies that were never ratified.

use entity::{policy as table, policy_version as versions};

use super::lock;
use crate::{
    access::permission,
    base::{error::invalid_transition, prelude::*},
};

/// Deletes a policy with its versions. Its code can be used again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `POLICY_HAS_HISTORY` once a version was ratified.
pub async fn delete(cx: &Cx, id: PolicyId) -> Result<()> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    let policy = lock(&tx, id).await?;
    if policy.was_ratified {
        let from = if policy.active_version.is_some() { "active" } else { "inactive" };
        return Err(invalid_transition("POLICY_HAS_HISTORY", from, "delete").into());
    }
    // Locked before the deletion, because a concurrent create with this code has locked the head row
    // and waits.
    tx.lock_head().await?;
    let rows = tx.delete::<versions::Entity>().filter(versions::Column::PolicyId.eq(id.0));
    rows.exec(tx.connection()).await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    let event = Event::new("policy.delete", "policy", id)
        .with("latest_version", entity::column::unsigned(policy.latest_version));
    tx.commit(cx, event).await
}
