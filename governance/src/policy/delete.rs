//! Deleting what never came into force.

use contract::id::PolicyId;

use super::lock;
use crate::{
    audit::Event,
    cx::Cx,
    error::{Result, invalid_transition},
    permission,
};

const DELETE_VERSIONS: &str = "DELETE FROM policy_versions WHERE tenant_id = $1 AND policy_id = $2";

const DELETE: &str = "DELETE FROM policies WHERE tenant_id = $1 AND id = $2";

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
    tx.execute(DELETE_VERSIONS, [id.0.into()]).await?;
    tx.execute(DELETE, [id.0.into()]).await?;
    let event = Event::new("policy.delete", "policy", id)
        .with("latest_version", entity::column::number(policy.latest_version));
    tx.commit(cx, event).await
}
