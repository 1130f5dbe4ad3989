//! The policies in force, read from their rows.

use std::sync::Arc;

use contract::{
    decision::GovernanceSource,
    id::{PolicyGroupId, PolicyId, PolicyVersionId},
    json::{Limits, Value},
    rule::Rule,
};
use receipt::{
    digest::Digest,
    statement::{SnapshotGroup, SnapshotPolicy},
};
use sea_orm::QueryResult;
use uuid::Uuid;

use super::{ActivePolicy, InForce};
use crate::{
    error::{Error, Result},
    tenancy::{Ancestor, Tenant, TenantTx},
};

/// A tenant's active policies: all of them, or without `$2` only those that it hands down. One
/// statement, so that counter and policies belong together.
// SQL: read by the next evaluation after every change of what is in force.
const ACTIVE: &str = "SELECT h.activation_counter, p.id, v.id, p.code, p.name, v.version, \
     p.shadow_mode, p.decision_types, p.regulatory_refs, v.rules, g.id, g.code, t.name, a.digest \
     FROM tenant_heads h \
     JOIN tenants t ON t.tenant_id = h.tenant_id \
     LEFT JOIN (policy_versions v \
     JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id AND ($2 OR p.inheritable)) \
     ON v.tenant_id = h.tenant_id AND v.is_active \
     LEFT JOIN policy_groups g ON g.tenant_id = p.tenant_id AND g.id = p.policy_group_id \
     LEFT JOIN policy_approvals a ON a.tenant_id = v.tenant_id AND a.policy_version_id = v.id \
     WHERE h.tenant_id = $1";

pub(super) async fn load(tenant: &Tenant<'_>) -> Result<Arc<InForce>> {
    // What is in force here and what is handed down, as they are at one moment.
    let tx = tenant.begin_snapshot().await?;
    let in_force = load_within(&tx).await?;
    tx.end().await?;
    Ok(Arc::new(in_force))
}

/// The same in a transaction that holds the tenant's head, or sees everything at one moment: the
/// counter moves with what is handed down, too.
pub(super) async fn load_within(tx: &TenantTx) -> Result<InForce> {
    let rows = tx.all(ACTIVE, [true.into()]).await?;
    let head = rows.first().ok_or_else(|| Error::bug("a tenant without its head row"))?;
    let activations = head.try_get_by_index(0)?;
    let own = rows.iter().filter_map(|row| active(row, None).transpose());
    let mut policies = own.collect::<Result<Vec<_>>>()?;
    for ancestor in tx.ancestors().await? {
        let rows = tx.all_above(ancestor, ACTIVE, [false.into()]).await?;
        for row in &rows {
            policies.extend(active(row, Some(ancestor))?);
        }
    }
    policies.sort_by(|a, b| a.snapshot.snapshot_order(&b.snapshot));
    Ok(InForce { activations, policies })
}

/// The policy of a row, unless the tenant has none.
fn active(row: &QueryResult, owner: Option<Ancestor>) -> Result<Option<ActivePolicy>> {
    let Some(policy_id) = row.try_get_by_index::<Option<Uuid>>(1)? else { return Ok(None) };
    let version: i32 = row.try_get_by_index(5)?;
    let authored: String = row.try_get_by_index(9)?;
    let (values, rules) = read_rules(&authored)?;
    Ok(Some(ActivePolicy {
        snapshot: SnapshotPolicy {
            policy_id: PolicyId(policy_id),
            policy_version_id: PolicyVersionId(row.try_get_by_index(2)?),
            code: row.try_get_by_index(3)?,
            name: row.try_get_by_index(4)?,
            version: u32::try_from(version).map_err(|error| Error::Bug(error.into()))?,
            shadow_mode: row.try_get_by_index(6)?,
            group: group_of(row)?,
            owner_tenant_id: owner.map(|owner| owner.id),
            approval_digest: approval_of(row)?,
            rules: values,
        },
        rules,
        decision_types: row.try_get_by_index(7)?,
        regulatory_refs: row.try_get_by_index(8)?,
        inherited: owner.map(|owner| source(row, owner)).transpose()?,
    }))
}

/// Whose policy a row holds.
fn source(row: &QueryResult, owner: Ancestor) -> Result<GovernanceSource> {
    let tenant_name = row.try_get_by_index(12)?;
    Ok(GovernanceSource { tenant_id: owner.id, tenant_name, level: owner.level })
}

/// The group of the policy of a row.
fn group_of(row: &QueryResult) -> Result<Option<SnapshotGroup>> {
    let Some(id) = row.try_get_by_index::<Option<Uuid>>(10)? else { return Ok(None) };
    Ok(Some(SnapshotGroup { id: PolicyGroupId(id), code: row.try_get_by_index(11)? }))
}

/// Digest of the approval of the version of a row; versions ratified before there were approvals have
/// none.
fn approval_of(row: &QueryResult) -> Result<Option<Digest>> {
    row.try_get_by_index::<Option<String>>(13)?.as_deref().map(approval_digest).transpose()
}

/// The digest of a stored approval.
pub(crate) fn approval_digest(stored: &str) -> Result<Digest> {
    stored.parse().map_err(|_| Error::bug("a stored approval without its digest"))
}

/// Stored rules, as the tree that is hashed and as what is compiled.
pub(crate) fn read_rules(authored: &str) -> Result<(Vec<Value>, Vec<Rule>)> {
    let rules = serde_json::from_str(authored).map_err(|error| Error::Bug(error.into()))?;
    Ok((rule_values(authored)?, rules))
}

/// Stored rules as the tree that is hashed.
pub(crate) fn rule_values(authored: &str) -> Result<Vec<Value>> {
    let tree = Value::parse(authored.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("stored rules: {fault:?}")))?;
    let Value::Array(values) = tree else { return Err(Error::bug("stored rules are no array")) };
    Ok(values)
}
