//! Stored codifications: one row per revision that changes it, never updated.

use entity::{codification as table, policy_version};

use crate::base::prelude::*;

/// A stored codification. Both members are absent when a revision removed it.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredCodification {
    /// The codification as it was sent, in JSON. New rules are mapped with it again.
    pub(crate) block: Option<String>,
    /// The codification record of the response, in JSON.
    pub(crate) record: Option<String>,
}

/// Stores the codification of a revision that has just been stored.
pub(crate) async fn insert(
    tx: &TenantTx,
    cx: &Cx,
    version: &policy_version::Model,
    codification: Option<StoredCodification>,
) -> Result<()> {
    if let Some(StoredCodification { block, record }) = codification {
        let row = table::ActiveModel {
            tenant_id: Set(version.tenant_id),
            policy_id: Set(version.policy_id),
            version: Set(version.version),
            draft_revision: Set(version.draft_revision),
            block: Set(block),
            record: Set(record),
            created_at: Set(to_column(cx.now)),
        };
        table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    }
    Ok(())
}

/// Returns the current codification of a version.
pub(crate) async fn latest(
    tx: &TenantTx,
    id: PolicyId,
    version: u32,
) -> Result<Option<StoredCodification>> {
    let number = i32::try_from(version).unwrap_or(i32::MAX);
    let latest = tx
        .find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::Version.eq(number))
        .order_by_desc(table::Column::DraftRevision)
        .one(tx.connection())
        .await?;
    Ok(latest.map(|row| StoredCodification { block: row.block, record: row.record }))
}

pub(crate) async fn attach(tx: &TenantTx, version: &mut PolicyVersion) -> Result<()> {
    let stored = latest(tx, version.policy_id, version.version).await?;
    let record = stored.and_then(|stored| stored.record);
    let record = record.map(|record| serde_json::from_str(&record)).transpose();
    version.codification_record = record.map_err(Error::internal)?;
    Ok(())
}
