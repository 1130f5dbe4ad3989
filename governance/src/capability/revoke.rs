//! Revoking: a grant ends, and with it all that it was carried to.

use contract::id::{ApiKeyId, CapabilityId, PolicyId, UserId};
use entity::{capability_grant as table, column::at, policy as policies};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::{event, find};
use crate::{
    cx::Cx,
    error::{Noun, Result, not_found},
    permission,
    tenancy::TenantTx,
};

// SQL: one statement ends a grant and all that it was carried to.
// `UNION`, so that it ends even where a restored store goes round.
const REVOKE: &str = "WITH RECURSIVE ended AS ( \
       SELECT id, carried_to FROM capability_grants WHERE tenant_id = $1 AND id = $2 \
       UNION \
       SELECT g.id, g.carried_to FROM ended e \
         JOIN capability_grants g ON g.tenant_id = $1 AND g.id = e.carried_to) \
     UPDATE capability_grants g SET revoked_at = $3, revoked_by = $4 FROM ended e \
       WHERE g.tenant_id = $1 AND g.id = e.id AND g.revoked_at IS NULL";

/// Revokes a grant with all that it was carried to, for good: no write under it is counted after this
/// has returned. A grant that was revoked before stays as it is.
///
/// # Errors
/// `HUMAN_REQUIRED`; `NOT_FOUND`.
pub async fn revoke(cx: &Cx, id: CapabilityId) -> Result<()> {
    let tx = cx.tenant(permission::REVOKE_CAPABILITIES)?.begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(Noun::Capability))?;
    hold(&tx, PolicyId(row.policy_id)).await?;
    let ended = [id.0.into(), at(cx.now).into(), cx.caller.principal().into()];
    let ended = tx.execute(REVOKE, ended).await?.rows_affected();
    if ended == 0 {
        return tx.end().await;
    }
    let revoked = u32::try_from(ended).unwrap_or(u32::MAX);
    tx.commit(cx, event("capability.revoke", &row).with("revoked", revoked)).await
}

/// Holds the policy's row, as whoever carries a grant or works under it does. A policy may be gone
/// while a grant names it.
async fn hold(tx: &TenantTx, id: PolicyId) -> Result<()> {
    let rows = tx.find::<policies::Entity>().filter(policies::Column::Id.eq(id.0));
    rows.lock_exclusive().one(tx.connection()).await?;
    Ok(())
}

/// Revokes the grants that govern these keys, and those that the person issued or carried for keys of
/// other people. Returns the ids of the grants, sorted.
///
/// A grant is a signed statement of its issuer, so it ends with the rights of that person and cannot be
/// transferred.
pub(crate) async fn revoke_of_person(
    tx: &TenantTx,
    cx: &Cx,
    person: UserId,
    keys: &[ApiKeyId],
) -> Result<Vec<CapabilityId>> {
    let of_keys = table::Column::ApiKeyId.is_in(keys.iter().map(|key| key.0));
    let governing = tx
        .find::<table::Entity>()
        .filter(table::Column::RevokedAt.is_null())
        .filter(table::Column::CarriedTo.is_null())
        .filter(Condition::any().add(of_keys).add(table::Column::IssuedBy.eq(person.0)));
    let before = governing.clone().all(tx.connection()).await?;
    hold_all(tx, before.iter().map(|grant| grant.policy_id)).await?;
    // Read again under the locks: a grant that was carried meanwhile ends where it was carried to.
    let grants = governing.order_by_asc(table::Column::Id).all(tx.connection()).await?;
    let ids: Vec<Uuid> = grants.iter().map(|grant| grant.id).collect();
    let revoked = table::ActiveModel {
        revoked_at: Set(Some(at(cx.now))),
        revoked_by: Set(cx.caller.principal()),
        ..Default::default()
    };
    tx.update::<table::Entity>()
        .filter(table::Column::Id.eq_any(ids.clone()))
        .filter(table::Column::RevokedAt.is_null())
        .set(revoked)
        .exec(tx.connection())
        .await?;
    Ok(ids.into_iter().map(CapabilityId).collect())
}

/// Holds the rows of several policies, in the order of their ids.
async fn hold_all(tx: &TenantTx, ids: impl Iterator<Item = Uuid>) -> Result<()> {
    let rows = tx.find::<policies::Entity>().filter(policies::Column::Id.is_in(ids));
    rows.order_by_asc(policies::Column::Id).lock_exclusive().all(tx.connection()).await?;
    Ok(())
}
