//! The approvals of the versions used, and of their predecessors.

use receipt::{
    approval::{PolicyApproval, predecessors_max},
    bundle::{file, path},
    dsse::Envelope,
    key::PayloadType,
    statement::SnapshotPolicy,
};

use super::builder::BundleBuilder;
use crate::base::prelude::*;

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
    let approvals = i64::try_from(predecessors)?;
    let values = [policy.policy_id.0.into(), version.into(), approvals.saturating_add(1).into()];
    let rows = tx.owner_tuples(policy.owner_tenant_id, SELECT_LINEAGE, values).await?;
    let approval = |(digest, statement, signature, kid)| {
        (digest, StoredApproval { statement, signature, kid })
    };
    Ok(rows.into_iter().map(approval).collect())
}

#[cfg(test)]
mod tests {
    use contract::{
        receipt::Redaction,
        rule::Severity,
        settings::{Settings, SignInPolicy},
        time::Timestamp,
    };
    use receipt::{approval::Ratifier, bundle::Files};
    use uuid::Uuid;

    use super::*;

    fn builder() -> BundleBuilder {
        let settings = Settings {
            maker_checker_enabled: true,
            review_required: false,
            public_receipt_redaction: Redaction::None,
            bundle_include_context: true,
            alert_min_severity: Severity::High,
            human_changes_only: false,
            sign_in: SignInPolicy::Any,
            second_factor_required: false,
            updated_at: None,
            updated_by: None,
        };
        BundleBuilder { files: Files::default(), settings, approvals: BTreeMap::new() }
    }

    /// The approvals of versions 1 to `versions`, and their digests.
    fn lineage(versions: u32) -> (BTreeMap<String, StoredApproval>, Vec<Digest>) {
        let (mut stored, mut digests) = (BTreeMap::new(), Vec::<Digest>::new());
        for version in 1..=versions {
            let statement = PolicyApproval {
                tenant_id: Uuid::nil().into(),
                policy_id: Uuid::nil().into(),
                policy_code: "A".into(),
                policy_version_id: Uuid::nil().into(),
                version,
                draft_revision: 1,
                rules_digest: Digest::compute(b""),
                previous_approval_digest: digests.last().copied(),
                submission_id: None,
                accept_record_id: None,
                ratified_at: Timestamp::from_millis(0).unwrap(),
                ratifier: Ratifier {
                    user_id: Uuid::nil().into(),
                    role: "ratifier".into(),
                    email_digest: Digest::compute(b""),
                    auth_method: "password".into(),
                },
                makers: Vec::new(),
                maker_checker: true,
                kid: None,
            }
            .canonical();
            digests.push(statement.digest);
            let approval = StoredApproval { statement: statement.text, signature: None, kid: None };
            stored.insert(statement.digest.to_string(), approval);
        }
        (stored, digests)
    }

    #[test]
    fn the_nearest_predecessors_are_added() {
        let (stored, digests) = lineage(6);
        let mut builder = builder();
        builder.add_lineage(digests[5], &stored, 2).unwrap();
        let is_added = |builder: &BundleBuilder, digest: &Digest| {
            builder.files.get(&path::approval(*digest)).is_some()
        };
        let added: Vec<_> = digests.iter().map(|digest| is_added(&builder, digest)).collect();
        assert_eq!(added, [false, false, false, true, true, true]);
        // The next snapshot of a chain uses the version before, and has fewer policies.
        assert_eq!(builder.approvals.get(&digests[4]), Some(&1), "more must be loaded");
        builder.add_lineage(digests[4], &stored, 64).unwrap();
        assert!(digests.iter().all(|digest| is_added(&builder, digest)));
    }

    #[test]
    fn a_full_bundle_contains_the_approval_without_predecessors() {
        let (stored, digests) = lineage(2);
        let mut builder = builder();
        builder.add("a", vec![0; (64 << 20) - BYTES_LEFT]).unwrap();
        builder.add_lineage(digests[1], &stored, 64).unwrap();
        let names: Vec<_> = builder.files.names().map(str::to_owned).collect();
        assert_eq!(names, ["a".to_owned(), path::approval(digests[1])]);
    }
}
