//! The approvals of the versions used, and of their predecessors.

use std::collections::BTreeMap;

use contract::json::Value;
use receipt::{
    approval::PolicyApproval,
    bundle::{file, path},
    canonical_json::CanonicalJson,
    digest::Digest,
    dsse::Envelope,
    key::PayloadType,
    statement::SnapshotPolicy,
};
use sea_orm::QueryResult;

use super::builder::BundleBuilder;
use crate::base::{error::Result, tenancy::TenantTx};

/// The maximum number of approvals of a policy in a bundle: the one of the version used, and as many
/// predecessors as a verifier follows.
const LINEAGE_MAX: usize = 65;

/// Selects the approvals of a policy up to a version, newest first.
// SQL: the approval may belong to an ancestor, and typed queries only cover the tenant's own rows.
const SELECT_LINEAGE: &str = "SELECT digest, statement, signature, signature_kid FROM policy_approvals \
     WHERE tenant_id = $1 AND policy_id = $2 AND version <= $3 ORDER BY version DESC LIMIT 65";

struct StoredApproval {
    statement: String,
    signature: Option<String>,
    kid: Option<String>,
}

impl BundleBuilder {
    /// Adds the approval of each policy that names one, and its predecessors.
    pub(super) async fn add_approvals(
        &mut self,
        tx: &TenantTx,
        policies: &[SnapshotPolicy],
    ) -> Result<()> {
        for policy in policies {
            let Some(digest) = policy.approval_digest else { continue };
            if self.approvals.contains(&digest) {
                continue;
            }
            let lineage = load_lineage(tx, policy).await?;
            self.add_lineage(digest, &lineage)?;
        }
        Ok(())
    }

    /// Adds an approval and its predecessors.
    fn add_lineage(
        &mut self,
        first: Digest,
        lineage: &BTreeMap<String, StoredApproval>,
    ) -> Result<()> {
        let mut next = Some(first);
        for _ in 0..LINEAGE_MAX {
            let Some(digest) = next else { break };
            self.approvals.insert(digest);
            let Some(approval) = lineage.get(&digest.to_string()) else { break };
            if let Some(envelope) = approval.envelope() {
                self.add_once(&path::approval(digest), file(&envelope.to_value()))?;
            }
            next = approval.previous();
        }
        Ok(())
    }
}

impl StoredApproval {
    fn envelope(&self) -> Option<Envelope> {
        let signed = self.kid.as_deref().zip(self.signature.as_deref());
        let statement = CanonicalJson::from_stored(self.statement.clone());
        Envelope::new(PayloadType::PolicyApproval, statement, signed).ok()
    }

    fn previous(&self) -> Option<Digest> {
        let statement = serde_json::from_str::<Value>(&self.statement).ok()?;
        PolicyApproval::read(&statement).ok()?.previous_approval_digest
    }
}

/// Loads the stored approvals of a policy by digest, from its own tenant or the ancestor that owns it.
async fn load_lineage(
    tx: &TenantTx,
    policy: &SnapshotPolicy,
) -> Result<BTreeMap<String, StoredApproval>> {
    let Ok(version) = i32::try_from(policy.version) else { return Ok(BTreeMap::new()) };
    let values = [policy.policy_id.0.into(), version.into()];
    let rows = tx.owner_rows(policy.owner_tenant_id, SELECT_LINEAGE, values).await?;
    rows.iter().map(read_row).collect()
}

fn read_row(row: &QueryResult) -> Result<(String, StoredApproval)> {
    let approval = StoredApproval {
        statement: row.try_get_by_index(1)?,
        signature: row.try_get_by_index(2)?,
        kid: row.try_get_by_index(3)?,
    };
    Ok((row.try_get_by_index(0)?, approval))
}
