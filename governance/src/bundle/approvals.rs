//! Who approved the versions that decided, and the versions before them.

use std::collections::BTreeMap;

use contract::json::Value;
use receipt::{
    approval::StoredApproval,
    bundle::{file, path},
    canon::Canonical,
    digest::Digest,
    dsse::Envelope,
    key::PayloadType,
    statement::SnapshotPolicy,
};
use sea_orm::QueryResult;

use super::making::Making;
use crate::{error::Result, tenancy::TenantTx};

/// How many approvals of one policy a bundle holds: that of the version which decided, and as many
/// before it as a verifier follows.
const LINEAGE_MAX: usize = 65;

/// The approvals of a policy up to a version, the newest first.
// SQL: it may be an ancestor's, and typed queries begin with the tenant's own rows.
const LINEAGE: &str = "SELECT digest, statement, signature, signature_kid FROM policy_approvals \
     WHERE tenant_id = $1 AND policy_id = $2 AND version <= $3 ORDER BY version DESC LIMIT 65";

/// An approval as it is stored.
struct Kept {
    statement: String,
    signature: Option<String>,
    kid: Option<String>,
}

impl Making {
    /// Adds the approval of each policy that names one, with those before it.
    pub(super) async fn approved(
        &mut self,
        tx: &TenantTx,
        policies: &[SnapshotPolicy],
    ) -> Result<()> {
        for policy in policies {
            let Some(digest) = policy.approval_digest else { continue };
            if self.approvals.contains(&digest) {
                continue;
            }
            let kept = lineage(tx, policy).await?;
            self.follow(digest, &kept)?;
        }
        Ok(())
    }

    /// Adds an approval, and follows it back.
    fn follow(&mut self, first: Digest, kept: &BTreeMap<String, Kept>) -> Result<()> {
        let mut next = Some(first);
        for _ in 0..LINEAGE_MAX {
            let Some(digest) = next else { break };
            self.approvals.insert(digest);
            let Some(kept) = kept.get(&digest.to_string()) else { break };
            if let Some(envelope) = kept.envelope() {
                self.put_once(&path::approval(digest), file(&envelope.to_value()))?;
            }
            next = kept.previous();
        }
        Ok(())
    }
}

impl Kept {
    fn envelope(&self) -> Option<Envelope> {
        let signed = self.kid.as_deref().zip(self.signature.as_deref());
        let statement = Canonical::kept(self.statement.clone());
        Envelope::new(PayloadType::PolicyApproval, statement, signed).ok()
    }

    fn previous(&self) -> Option<Digest> {
        let statement = serde_json::from_str::<Value>(&self.statement).ok()?;
        StoredApproval::read(&statement).ok()?.previous_approval_digest
    }
}

/// What is stored of a policy's approvals, by digest: its own tenant's, or those of the one above that
/// hands it down.
async fn lineage(tx: &TenantTx, policy: &SnapshotPolicy) -> Result<BTreeMap<String, Kept>> {
    let Ok(version) = i32::try_from(policy.version) else { return Ok(BTreeMap::new()) };
    let values = [policy.policy_id.0.into(), version.into()];
    let rows = tx.all_of(policy.owner_tenant_id, LINEAGE, values).await?;
    rows.iter().map(kept).collect()
}

fn kept(row: &QueryResult) -> Result<(String, Kept)> {
    let kept = Kept {
        statement: row.try_get_by_index(1)?,
        signature: row.try_get_by_index(2)?,
        kid: row.try_get_by_index(3)?,
    };
    Ok((row.try_get_by_index(0)?, kept))
}
