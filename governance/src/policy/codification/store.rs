//! What is kept of codifications: appended with each revision that changes them, never rewritten.

use contract::{id::PolicyId, policy::PolicyVersion};
use entity::{codification as table, column::at, policy_version};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder};

use crate::{
    cx::Cx,
    error::{Error, Result},
    tenancy::TenantTx,
};

/// A codification as it is kept; both absent when a revision took it away.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The block as it was sent, as JSON: new rules are held against it again.
    pub(crate) block: Option<String>,
    /// What is answered, as JSON.
    pub(crate) record: Option<String>,
}

/// Keeps the codification of a revision that has just been stored.
pub(crate) async fn keep(
    tx: &TenantTx,
    cx: &Cx,
    version: &policy_version::Model,
    kept: Option<Kept>,
) -> Result<()> {
    if let Some(Kept { block, record }) = kept {
        let row = table::ActiveModel {
            tenant_id: Set(version.tenant_id),
            policy_id: Set(version.policy_id),
            version: Set(version.version),
            draft_revision: Set(version.draft_revision),
            block: Set(block),
            record: Set(record),
            created_at: Set(at(cx.now)),
        };
        table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    }
    Ok(())
}

/// The codification of a version as it now is.
pub(crate) async fn latest(tx: &TenantTx, id: PolicyId, version: u32) -> Result<Option<Kept>> {
    let number = i32::try_from(version).unwrap_or(i32::MAX);
    let latest = tx
        .find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::Version.eq(number))
        .order_by_desc(table::Column::DraftRevision)
        .one(tx.connection())
        .await?;
    Ok(latest.map(|row| Kept { block: row.block, record: row.record }))
}

/// Adds to an answer what is kept of its version.
pub(crate) async fn attach(tx: &TenantTx, version: &mut PolicyVersion) -> Result<()> {
    let kept = latest(tx, version.policy_id, version.version).await?;
    let record = kept.and_then(|kept| kept.record);
    let record = record.map(|record| serde_json::from_str(&record)).transpose();
    version.codification_record = record.map_err(|error| Error::Bug(error.into()))?;
    Ok(())
}
