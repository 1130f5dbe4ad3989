//! The grants of authoring capabilities that end with the keys or the rights of a user.

use entity::{capability_grant as table, policy as policies};

use crate::base::prelude::*;

/// Revokes the governing grants of these keys, and the grants that the user issued or carried over for
/// keys of other users. Returns the IDs of the grants, sorted.
///
/// A grant is a signed statement of its issuer, so it ends with the rights of that user and cannot be
/// transferred.
pub(super) async fn revoke_of_person(
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

/// Locks the rows of several policies in the order of their IDs.
async fn lock_policies(tx: &TenantTx, ids: impl Iterator<Item = Uuid>) -> Result<()> {
    let rows = tx.find::<policies::Entity>().filter(policies::Column::Id.is_in(ids));
    rows.order_by_asc(policies::Column::Id).lock_exclusive().all(tx.connection()).await?;
    Ok(())
}
