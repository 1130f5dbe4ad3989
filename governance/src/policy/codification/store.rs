//! What is kept of codifications: appended with each revision that changes them, never rewritten.

use contract::{id::PolicyId, policy::PolicyVersion};
use entity::policy_version as table;

use crate::{
    cx::Cx,
    error::{Error, Result},
    tenancy::{TenantTx, instant},
};

/// A codification as it is kept; both absent when a revision took it away.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The block as it was sent, as JSON: new rules are held against it again.
    pub(crate) block: Option<String>,
    /// What is answered, as JSON.
    pub(crate) record: Option<String>,
}

const INSERT: &str = "INSERT INTO codifications \
     (tenant_id, policy_id, version, draft_revision, block, record, created_at) \
     VALUES ($1, $2, $3, $4, $5, $6, $7)";

/// Keeps the codification of a revision that has just been stored.
pub(crate) async fn keep(
    tx: &TenantTx,
    cx: &Cx,
    version: &table::Model,
    kept: Option<Kept>,
) -> Result<()> {
    if let Some(Kept { block, record }) = kept {
        let row = [
            version.policy_id.into(),
            version.version.into(),
            version.draft_revision.into(),
            block.into(),
            record.into(),
            instant(cx.now),
        ];
        tx.execute(INSERT, row).await?;
    }
    Ok(())
}

const LATEST: &str = "SELECT block, record FROM codifications \
     WHERE tenant_id = $1 AND policy_id = $2 AND version = $3 \
     ORDER BY draft_revision DESC LIMIT 1";

/// The codification of a version as it now is.
pub(crate) async fn latest(tx: &TenantTx, id: PolicyId, version: u32) -> Result<Option<Kept>> {
    let number = i32::try_from(version).unwrap_or(i32::MAX);
    let Some(row) = tx.one(LATEST, [id.0.into(), number.into()]).await? else { return Ok(None) };
    Ok(Some(Kept { block: row.try_get_by_index(0)?, record: row.try_get_by_index(1)? }))
}

/// Adds to an answer what is kept of its version.
pub(crate) async fn attach(tx: &TenantTx, version: &mut PolicyVersion) -> Result<()> {
    let kept = latest(tx, version.policy_id, version.version).await?;
    let record = kept.and_then(|kept| kept.record);
    let record = record.map(|record| serde_json::from_str(&record)).transpose();
    version.codification_record = record.map_err(|error| Error::Bug(error.into()))?;
    Ok(())
}
