//! The rows of snapshots: one for each digest, appended when none has it.

use contract::id::SnapshotId;
use receipt::digest::Digest;

use super::Snapshot;
use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Result},
    tenancy::{Tenant, TenantTx, instant},
};

const BY_DIGEST: &str = "SELECT id FROM policy_snapshots WHERE tenant_id = $1 AND digest = $2";

const APPEND: &str = "INSERT INTO policy_snapshots \
     (tenant_id, id, digest, body, evaluated_rules_hash, created_at) \
     VALUES ($1, $2, $3, $4, $5, $6)";

/// Returns the id of the row with this digest, if there is one.
pub(super) async fn find(tenant: &Tenant<'_>, digest: Digest) -> Result<Option<SnapshotId>> {
    let tx = tenant.begin().await?;
    let id = by_digest(&tx, digest).await?;
    tx.end().await?;
    Ok(id)
}

/// The row of a snapshot; a new one only when none has this digest.
pub(super) async fn find_or_append(tenant: &Tenant<'_>, snapshot: &Snapshot) -> Result<SnapshotId> {
    let cx = tenant.cx();
    let mut tx = tenant.begin().await?;
    // Only one process at a time holds the head row, and so looks and appends.
    tx.head().await?;
    if let Some(id) = by_digest(&tx, snapshot.digest).await? {
        tx.end().await?;
        return Ok(id);
    }
    let id = insert(&tx, cx, snapshot).await?;
    tx.commit(cx, appended(id)).await?;
    Ok(id)
}

/// Appends a snapshot in a transaction that goes on.
pub(super) async fn append(tx: &mut TenantTx, cx: &Cx, snapshot: &Snapshot) -> Result<SnapshotId> {
    let id = insert(tx, cx, snapshot).await?;
    tx.also(appended(id));
    tx.write_events(cx).await?;
    Ok(id)
}

async fn insert(tx: &TenantTx, cx: &Cx, snapshot: &Snapshot) -> Result<SnapshotId> {
    let body = snapshot.body.as_deref();
    let body = body.ok_or_else(|| Error::bug("a snapshot without its object"))?;
    let values = [
        snapshot.derived_id.0.into(),
        snapshot.digest.to_string().into(),
        body.into(),
        snapshot.rules_hash.to_string().into(),
        instant(cx.now),
    ];
    tx.execute(APPEND, values).await?;
    Ok(snapshot.derived_id)
}

fn appended(id: SnapshotId) -> Event {
    Event::new("snapshot.append", "policy_snapshot", id)
}

pub(super) async fn by_digest(tx: &TenantTx, digest: Digest) -> Result<Option<SnapshotId>> {
    let row = tx.one(BY_DIGEST, [digest.to_string().into()]).await?;
    Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.map(SnapshotId))
}
