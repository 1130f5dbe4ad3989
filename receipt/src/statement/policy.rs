//! Policies of a decision: snapshot, evaluated rules, and rules of one version (receipts, sections
//! 3.2 and 3.3).

use std::cmp::Ordering;

use contract::{
    id::{PolicyGroupId, PolicyId, PolicyVersionId, TenantId},
    json::Value,
};

use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    digest::Digest,
    members::{Member, members},
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SNAPSHOT_SCHEMA: &str = "service-policy-snapshot/v1";

/// A policy of a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotPolicy {
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The active version.
    pub policy_version_id: PolicyVersionId,
    /// The code of the policy.
    pub code: String,
    /// The name of the policy.
    pub name: String,
    /// The number of the version.
    pub version: u32,
    /// Whether the policy is in shadow mode.
    pub shadow_mode: bool,
    /// The policy group.
    pub group: Option<SnapshotGroup>,
    /// The tenant that owns the policy, if it is inherited.
    pub owner_tenant_id: Option<TenantId>,
    /// Digest of the approval statement.
    pub approval_digest: Option<Digest>,
    /// The rules in authored order with all stored members, including inactive rules.
    pub rules: Vec<Value>,
}

/// The policy group of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotGroup {
    /// The ID of the group.
    pub id: PolicyGroupId,
    /// The code of the group.
    pub code: String,
}

members! {
    SnapshotPolicy {
        policy_id, policy_version_id, code, name, version, shadow_mode, group, owner_tenant_id,
        approval_digest, rules,
    }
}
members! { SnapshotGroup { id, code } }

impl SnapshotPolicy {
    /// Compares by snapshot order: the bytes of the code, then version, then ID.
    pub fn snapshot_order(&self, other: &Self) -> Ordering {
        let version_and_id = |policy: &Self| (policy.version, policy.policy_id);
        self.code.cmp(&other.code).then_with(|| version_and_id(self).cmp(&version_and_id(other)))
    }
}

/// Returns the snapshot of `policies`, which may be in any order.
pub fn snapshot(policies: &[SnapshotPolicy]) -> CanonicalJson {
    let policies: Vec<_> = sorted(policies).into_iter().map(SnapshotPolicy::part).collect();
    ObjectBuilder::with_schema(SNAPSHOT_SCHEMA).member("policies", policies).canonical()
}

/// Parses a snapshot into its policies, in stored order.
///
/// # Errors
/// Returns the member that is missing or malformed.
pub fn read_snapshot(value: &Value) -> Result<Vec<SnapshotPolicy>, ParseFieldError> {
    Member::read_from(SignedObjectReader::with_schema(value, SNAPSHOT_SCHEMA)?, "policies")
}

/// Returns the active rules of a snapshot, reduced to the members that affect a decision: an array
/// without a schema.
pub fn evaluated_rules(policies: &[SnapshotPolicy]) -> CanonicalJson {
    let rules = sorted(policies).into_iter().flat_map(|policy| &policy.rules);
    JsonPart::Array(rules.filter(|rule| is_active(rule)).map(evaluated_rule).collect()).canonical()
}

/// Returns the preimage of `rules_digest`: the rules of one version in authored order, including
/// inactive rules.
pub fn rules(rules: &[Value]) -> CanonicalJson {
    let rules: Vec<_> = rules.iter().map(JsonPart::from).collect();
    ObjectBuilder::with_schema("service-policy-rules/v1").member("rules", rules).canonical()
}

fn sorted(policies: &[SnapshotPolicy]) -> Vec<&SnapshotPolicy> {
    let mut policies: Vec<_> = policies.iter().collect();
    policies.sort_by(|a, b| a.snapshot_order(b));
    policies
}

fn is_active(rule: &Value) -> bool {
    rule.get("is_active") != Some(&Value::Bool(false))
}

fn evaluated_rule(rule: &Value) -> JsonPart<'_> {
    let members = ["code", "condition", "severity", "when"];
    let retained = members.into_iter().filter_map(|name| Some((name, rule.get(name)?.into())));
    retained.collect::<ObjectBuilder<'_>>().into()
}
