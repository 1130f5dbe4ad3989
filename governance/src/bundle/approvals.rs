//! The approvals of the versions used, and of their predecessors.

use std::collections::BTreeMap;

use contract::json::Value;
use receipt::{
    approval::{PolicyApproval, predecessors_max},
    bundle::{file, path},
    canonical_json::CanonicalJson,
    digest::Digest,
    dsse::Envelope,
    key::PayloadType,
    statement::SnapshotPolicy,
};
use sea_orm::QueryResult;

use super::builder::BundleBuilder;
use crate::base::{
    error::{Error, Result},
    tenancy::TenantTx,
};

/// The bytes that predecessors leave for the other files of a decision: the links of its chain, the trust registry
/// and the manifest ([`crate::deciding::bundle_size`]).
const BYTES_LEFT: usize = 14 << 20;

/// Selects the approvals of a policy up to a version, newest first.
// SQL: the approval may belong to an ancestor, and typed queries only cover the tenant's own rows.
const SELECT_LINEAGE: &str = "SELECT digest, statement, signature, signature_kid FROM policy_approvals \
     WHERE tenant_id = $1 AND policy_id = $2 AND version <= $3 ORDER BY version DESC LIMIT $4";

struct StoredApproval {
    statement: String,
    signature: Option<String>,
    kid: Option<String>,
}

impl BundleBuilder {
    /// Adds the approval of each policy that names one, and as many predecessors as a verifier follows.
    pub(super) async fn add_approvals(
        &mut self,
        tx: &TenantTx,
        policies: &[SnapshotPolicy],
    ) -> Result<()> {
        let predecessors = predecessors_max(policies.len());
        for policy in policies {
            let Some(digest) = policy.approval_digest else { continue };
            if self.approvals.get(&digest).is_some_and(|followed| *followed >= predecessors) {
                continue;
            }
            let lineage = load_lineage(tx, policy, predecessors).await?;
            self.add_lineage(digest, &lineage, predecessors)?;
        }
        Ok(())
    }

    /// Adds an approval and up to `predecessors` predecessors.
    fn add_lineage(
        &mut self,
        first: Digest,
        lineage: &BTreeMap<String, StoredApproval>,
        predecessors: usize,
    ) -> Result<()> {
        let mut next = Some(first);
        for left in (0..=predecessors).rev() {
            let Some(digest) = next else { break };
            self.approvals.insert(digest, left);
            let Some(approval) = lineage.get(&digest.to_string()) else { break };
            if let Some(envelope) = approval.envelope() {
                let bytes = file(&envelope.to_value());
                // A verifier reports a predecessor that is missing.
                if digest != first && !self.files.has_room(bytes.len(), 0, BYTES_LEFT) {
                    break;
                }
                self.add_once(&path::approval(digest), bytes)?;
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

/// Loads the stored approval of a policy and its predecessors by digest, from its own tenant or the ancestor that owns
/// it.
async fn load_lineage(
    tx: &TenantTx,
    policy: &SnapshotPolicy,
    predecessors: usize,
) -> Result<BTreeMap<String, StoredApproval>> {
    let Ok(version) = i32::try_from(policy.version) else { return Ok(BTreeMap::new()) };
    let approvals = i64::try_from(predecessors).map_err(|error| Error::Bug(error.into()))?;
    let values = [policy.policy_id.0.into(), version.into(), approvals.saturating_add(1).into()];
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
