//! The snapshot that would be, were a version the only one in force.

use std::sync::Arc;

use contract::id::{PolicyId, PolicyVersionId, TenantId};
use entity::{policy, policy_version};
use receipt::statement::SnapshotPolicy;

use super::{ActivePolicy, InForce, Snapshot, read_rules};
use crate::error::Result;

/// The snapshot of one version alone, with `rules` in place of those that are stored. It is compiled
/// for one question and never stored.
pub(crate) fn alone(
    policy: policy::Model,
    version: &policy_version::Model,
    rules: &str,
) -> Result<Arc<Snapshot>> {
    let (values, rules) = read_rules(rules)?;
    let tenant_id = TenantId(policy.tenant_id);
    let policy = ActivePolicy {
        snapshot: SnapshotPolicy {
            policy_id: PolicyId(policy.id),
            policy_version_id: PolicyVersionId(version.id),
            code: policy.code,
            name: policy.name,
            version: entity::column::number(version.version),
            shadow_mode: policy.shadow_mode,
            group: None,
            owner_tenant_id: None,
            approval_digest: None,
            rules: values,
        },
        rules,
        decision_types: policy.decision_types,
        regulatory_refs: policy.regulatory_refs,
        inherited: None,
    };
    let in_force = InForce { activations: 0, policies: vec![policy] };
    Ok(Arc::new(Snapshot::compile(tenant_id, &in_force, &[0])?))
}
