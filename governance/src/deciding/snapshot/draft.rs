//! A snapshot of a single version, as if it were the only active one.

use entity::{policy, policy_version};
use receipt::statement::SnapshotPolicy;

use super::{ActivePolicy, CompiledRules, Snapshot};
use crate::{authoring::policy::stored_rules, base::prelude::*};

/// Compiles a snapshot of one version with the rules `authored` instead of its stored rules. The snapshot is used for
/// one evaluation and never stored.
pub(crate) async fn single_version(
    cx: &Cx,
    policy: policy::Model,
    version: &policy_version::Model,
    authored: &str,
) -> Result<Arc<Snapshot>> {
    let (values, rules) = stored_rules::parse(authored)?;
    let tenant_id = TenantId(policy.tenant_id);
    let policy = ActivePolicy {
        snapshot: SnapshotPolicy {
            policy_id: PolicyId(policy.id),
            policy_version_id: PolicyVersionId(version.id),
            code: policy.code,
            name: policy.name,
            version: unsigned(version.version),
            shadow_mode: policy.shadow_mode,
            group: None,
            owner_tenant_id: None,
            approval_digest: None,
            rules: values,
        },
        rules,
        bytes: authored.len(),
        decision_types: policy.decision_types,
        regulatory_refs: policy.regulatory_refs,
        inherited: None,
    };
    let rules = CompiledRules::of(cx, tenant_id, &[&policy]).await?;
    Ok(Arc::new(Snapshot::new(tenant_id, 0, &[&policy], rules)))
}
