//! Revoking: ends a grant and all grants that it was carried over to.

use entity::{capability_grant as table, policy as policies};

use super::event;
use crate::{access::permission, base::prelude::*};

// SQL: one statement revokes a grant and all grants that it was carried over to.
// `UNION` ends the recursion even if a restored database contains a cycle.
const REVOKE_LINEAGE: &str = "WITH RECURSIVE ended AS ( \
       SELECT id, carried_to FROM capability_grants WHERE tenant_id = $1 AND id = $2 \
       UNION \
       SELECT g.id, g.carried_to FROM ended e \
         JOIN capability_grants g ON g.tenant_id = $1 AND g.id = e.carried_to) \
     UPDATE capability_grants g SET revoked_at = $3, revoked_by = $4 FROM ended e \
       WHERE g.tenant_id = $1 AND g.id = e.id AND g.revoked_at IS NULL";

/// Revokes a grant permanently, with all grants that it was carried over to. No write under it is
/// counted after this call returns. A grant that is already revoked does not change.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`.
pub async fn revoke(cx: &Cx, id: CapabilityId) -> Result<()> {
    let tx = cx.tenant(permission::REVOKE_CAPABILITIES)?.begin().await?;
    let row = tx.get::<table::Entity>(id, ResourceKind::Capability).await?;
    // Carrying over and using a grant take the same lock. The policy may have been deleted.
    let policy = tx.find_by_id::<policies::Entity>(row.policy_id);
    policy.lock_exclusive().one(tx.connection()).await?;
    let values = [id.0.into(), to_column(cx.now).into(), cx.caller.principal().into()];
    let ended = tx.execute(REVOKE_LINEAGE, values).await?.rows_affected();
    if ended == 0 {
        return tx.finish_read().await;
    }
    let revoked = u32::try_from(ended).unwrap_or(u32::MAX);
    tx.commit(cx, event("capability.revoke", &row).with("revoked", revoked)).await
}
