//! The lock of a policy's row, under which its versions change.

use entity::policy as table;

use crate::base::prelude::*;

/// Locks the policy's row against changes of its versions. Several operations can hold this lock.
pub(crate) async fn lock_shared(tx: &TenantTx, id: PolicyId) -> Result<()> {
    let row = tx.find_by_id::<table::Entity>(id).lock_shared().one(tx.connection()).await?;
    Ok(row.map(drop).or_not_found(ResourceKind::Policy)?)
}

/// Locks the policy's row and returns it. All changes of a version take this lock.
pub(crate) async fn lock(tx: &TenantTx, id: PolicyId) -> Result<table::Model> {
    tx.lock::<table::Entity>(id, ResourceKind::Policy).await
}
