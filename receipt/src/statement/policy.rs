//! Policies as they were in force: snapshot, evaluated rules, rules of one version (receipts,
//! sections 3.2 and 3.3).

use std::cmp::Ordering;

use contract::{
    id::{PolicyGroupId, PolicyId, PolicyVersionId, TenantId},
    json::Value,
};

use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    fields::{Fields, Malformed},
};

const SNAPSHOT_SCHEMA: &str = "service-policy-snapshot/v1";

/// A policy of a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotPolicy {
    /// The policy.
    pub policy_id: PolicyId,
    /// The version in force.
    pub policy_version_id: PolicyVersionId,
    /// The policy's code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// The number of the version.
    pub version: u32,
    /// Whether it only watches.
    pub shadow_mode: bool,
    /// Its group.
    pub group: Option<SnapshotGroup>,
    /// The tenant that it belongs to, when that is another one.
    pub owner_tenant_id: Option<TenantId>,
    /// Digest of the approval statement.
    pub approval_digest: Option<Digest>,
    /// Its rules in authored order, with all their stored members, inactive ones included.
    pub rules: Vec<Value>,
}

/// The group of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotGroup {
    /// The group.
    pub id: PolicyGroupId,
    /// Its code.
    pub code: String,
}

impl SnapshotPolicy {
    /// The order of a snapshot: by the bytes of the code, then version, then id.
    pub fn snapshot_order(&self, other: &Self) -> Ordering {
        let place = |policy: &Self| (policy.version, policy.policy_id);
        self.code.cmp(&other.code).then_with(|| place(self).cmp(&place(other)))
    }

    fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "policies")?;
        let group = |value| {
            let group = Fields::of(value, "group")?;
            Ok(SnapshotGroup { id: group.exact("id")?, code: group.text("code")?.to_owned() })
        };
        Ok(Self {
            policy_id: fields.exact("policy_id")?,
            policy_version_id: fields.exact("policy_version_id")?,
            code: fields.text("code")?.to_owned(),
            name: fields.text("name")?.to_owned(),
            version: fields.whole("version")?,
            shadow_mode: fields.truth("shadow_mode")?,
            group: fields.get("group").map(group).transpose()?,
            owner_tenant_id: fields.maybe("owner_tenant_id")?,
            approval_digest: fields.maybe("approval_digest")?,
            rules: fields.list("rules")?.to_vec(),
        })
    }
}

/// The snapshot of `policies`, which may come in any order.
pub fn snapshot(policies: &[SnapshotPolicy]) -> Canonical {
    let policies: Vec<_> = in_order(policies).into_iter().map(policy).collect();
    Members::schema(SNAPSHOT_SCHEMA).with("policies", policies).canonical()
}

/// Reads a snapshot: its policies, in the order in which they stand.
///
/// # Errors
/// Why it is none.
pub fn read_snapshot(value: &Value) -> Result<Vec<SnapshotPolicy>, Malformed> {
    let policies = Fields::of_schema(value, SNAPSHOT_SCHEMA)?.list("policies")?;
    policies.iter().map(SnapshotPolicy::read).collect()
}

/// The active rules of a snapshot, reduced to what decides: an array without a schema.
pub fn evaluated_rules(policies: &[SnapshotPolicy]) -> Canonical {
    let rules = in_order(policies).into_iter().flat_map(|policy| &policy.rules);
    Part::Array(rules.filter(|rule| is_active(rule)).map(evaluated_rule).collect()).canonical()
}

/// The preimage of `rules_digest`: the rules of one version in authored order, inactive ones included.
pub fn rules(rules: &[Value]) -> Canonical {
    let rules: Vec<_> = rules.iter().map(Part::from).collect();
    Members::schema("service-policy-rules/v1").with("rules", rules).canonical()
}

fn in_order(policies: &[SnapshotPolicy]) -> Vec<&SnapshotPolicy> {
    let mut policies: Vec<_> = policies.iter().collect();
    policies.sort_by(|a, b| a.snapshot_order(b));
    policies
}

fn policy(policy: &SnapshotPolicy) -> Part<'_> {
    let group = policy.group.as_ref().map(|group| {
        Members::default().with("id", group.id.to_string()).with("code", group.code.as_str())
    });
    Members::default()
        .with("policy_id", policy.policy_id.to_string())
        .with("policy_version_id", policy.policy_version_id.to_string())
        .with("code", policy.code.as_str())
        .with("name", policy.name.as_str())
        .with("version", policy.version)
        .with("shadow_mode", policy.shadow_mode)
        .maybe("group", group)
        .maybe("owner_tenant_id", policy.owner_tenant_id.map(|id| id.to_string()))
        .maybe("approval_digest", policy.approval_digest)
        .with("rules", policy.rules.iter().map(Part::from).collect::<Vec<_>>())
        .into()
}

fn is_active(rule: &Value) -> bool {
    rule.get("is_active") != Some(&Value::Bool(false))
}

fn evaluated_rule(rule: &Value) -> Part<'_> {
    let members = ["code", "condition", "severity", "when"];
    let kept = members.into_iter().filter_map(|name| Some((name, rule.get(name)?.into())));
    kept.collect::<Members<'_>>().into()
}
