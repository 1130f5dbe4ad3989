//! A snapshot of a single version, as if it were the only active one.

use std::sync::Arc;

use contract::id::{PolicyId, PolicyVersionId, TenantId};
use entity::{policy, policy_version};
use receipt::statement::SnapshotPolicy;

use super::{ActivePolicies, ActivePolicy, Snapshot};
use crate::{authoring::policy::stored_rules, base::error::Result};

/// Compiles a snapshot of one version with `rules` instead of its stored rules. The snapshot is used for
/// one evaluation and never stored.
pub(crate) fn single_version(
    policy: policy::Model,
    version: &policy_version::Model,
    rules: &str,
) -> Result<Arc<Snapshot>> {
    let (values, rules) = stored_rules::parse(rules)?;
    let tenant_id = TenantId(policy.tenant_id);
    let policy = ActivePolicy {
        snapshot: SnapshotPolicy {
            policy_id: PolicyId(policy.id),
            policy_version_id: PolicyVersionId(version.id),
            code: policy.code,
            name: policy.name,
            version: entity::column::unsigned(version.version),
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
    let active_policies = ActivePolicies { activations: 0, policies: vec![policy] };
    Ok(Arc::new(Snapshot::compile(tenant_id, &active_policies, &[0])?))
}
