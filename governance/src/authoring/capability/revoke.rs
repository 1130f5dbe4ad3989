//! Revoking: ends a grant and all grants that it was carried over to.

use contract::id::{ApiKeyId, CapabilityId, PolicyId, UserId};
use entity::{capability_grant as table, column::to_column, policy as policies};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::{event, find};
use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::{ResourceKind, Result, not_found},
        tenancy::TenantTx,
    },
};

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
    let row = find(&tx, id).one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(ResourceKind::Capability))?;
    lock_policy(&tx, PolicyId(row.policy_id)).await?;
    let values = [id.0.into(), to_column(cx.now).into(), cx.caller.principal().into()];
    let ended = tx.execute(REVOKE_LINEAGE, values).await?.rows_affected();
    if ended == 0 {
        return tx.finish_read().await;
    }
    let revoked = u32::try_from(ended).unwrap_or(u32::MAX);
    tx.commit(cx, event("capability.revoke", &row).with("revoked", revoked)).await
}

/// Locks the policy's row, as carrying over and using a grant do. The policy may have been deleted
/// while a grant names it.
async fn lock_policy(tx: &TenantTx, id: PolicyId) -> Result<()> {
    let rows = tx.find::<policies::Entity>().filter(policies::Column::Id.eq(id.0));
    rows.lock_exclusive().one(tx.connection()).await?;
    Ok(())
}

/// Revokes the governing grants of these keys, and the grants that the user issued or carried over for
/// keys of other users. Returns the ids of the grants, sorted.
///
/// A grant is a signed statement of its issuer, so it ends with the rights of that user and cannot be
/// transferred.
pub(crate) async fn revoke_of_person(
    tx: &TenantTx,
    cx: &Cx,
    user_id: UserId,
    keys: &[ApiKeyId],
) -> Result<Vec<CapabilityId>> {
    let of_keys = table::Column::ApiKeyId.is_in(keys.iter().map(|key| key.0));
    let governing = tx
        .find::<table::Entity>()
        .filter(table::Column::RevokedAt.is_null())
        .filter(table::Column::CarriedTo.is_null())
        .filter(Condition::any().add(of_keys).add(table::Column::IssuedBy.eq(user_id.0)));
    let before = governing.clone().all(tx.connection()).await?;
    lock_policies(tx, before.iter().map(|grant| grant.policy_id)).await?;
    // Read again under the locks: a grant that was carried over concurrently is revoked at its
    // successor.
    let grants = governing.order_by_asc(table::Column::Id).all(tx.connection()).await?;
    let ids: Vec<Uuid> = grants.iter().map(|grant| grant.id).collect();
    let changes = table::ActiveModel {
        revoked_at: Set(Some(to_column(cx.now))),
        revoked_by: Set(cx.caller.principal()),
        ..Default::default()
    };
    tx.update::<table::Entity>()
        .filter(table::Column::Id.eq_any(ids.clone()))
        .filter(table::Column::RevokedAt.is_null())
        .set(changes)
        .exec(tx.connection())
        .await?;
    Ok(ids.into_iter().map(CapabilityId).collect())
}

/// Locks the rows of several policies in the order of their ids.
async fn lock_policies(tx: &TenantTx, ids: impl Iterator<Item = Uuid>) -> Result<()> {
    let rows = tx.find::<policies::Entity>().filter(policies::Column::Id.is_in(ids));
    rows.order_by_asc(policies::Column::Id).lock_exclusive().all(tx.connection()).await?;
    Ok(())
}
