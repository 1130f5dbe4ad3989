//! The rows of snapshots, one per digest.

use entity::policy_snapshot as table;

use super::Snapshot;
use crate::base::prelude::*;

/// Returns the ID of the row with this digest, if it exists.
pub(super) async fn find(tenant: &Tenant<'_>, digest: Digest) -> Result<Option<SnapshotId>> {
    let tx = tenant.begin().await?;
    let id = by_digest(&tx, digest).await?;
    tx.finish_read().await?;
    Ok(id)
}

/// Returns the ID of the row with the snapshot's digest. If there is none, appends the row.
pub(super) async fn find_or_append(tenant: &Tenant<'_>, snapshot: &Snapshot) -> Result<SnapshotId> {
    let cx = tenant.cx();
    let mut tx = tenant.begin().await?;
    // The head lock ensures that only one process at a time searches and appends.
    tx.lock_head().await?;
    if let Some(id) = by_digest(&tx, snapshot.digest).await? {
        tx.finish_read().await?;
        return Ok(id);
    }
    let id = insert(&tx, cx, snapshot).await?;
    tx.commit(cx, append_event(id)).await?;
    Ok(id)
}

/// Appends a snapshot and its event in an open transaction.
pub(super) async fn append(tx: &mut TenantTx, cx: &Cx, snapshot: &Snapshot) -> Result<SnapshotId> {
    let id = insert(tx, cx, snapshot).await?;
    tx.add_event(append_event(id));
    tx.write_events(cx).await?;
    Ok(id)
}

async fn insert(tx: &TenantTx, cx: &Cx, snapshot: &Snapshot) -> Result<SnapshotId> {
    let body = snapshot.body.as_deref();
    let body = body.or_bug("a snapshot without its object")?;
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        id: Set(snapshot.derived_id.0),
        digest: Set(snapshot.digest.to_string()),
        body: Set(body.to_owned()),
        evaluated_rules_hash: Set(snapshot.rules_hash.to_string()),
        created_at: Set(to_column(cx.now)),
    };
    table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(snapshot.derived_id)
}

fn append_event(id: SnapshotId) -> Event {
    Event::new("snapshot.append", "policy_snapshot", id)
}

pub(super) async fn by_digest(tx: &TenantTx, digest: Digest) -> Result<Option<SnapshotId>> {
    let row = tx.find::<table::Entity>().filter(table::Column::Digest.eq(digest.to_string()));
    let id = row.select_only().column(table::Column::Id).into_tuple::<Uuid>();
    Ok(id.one(tx.connection()).await?.map(SnapshotId))
}
