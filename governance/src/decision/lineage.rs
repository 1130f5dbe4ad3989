//! Where a decision comes from, and what came of it: the clauses behind the rules that were in force,
//! who ratified them, the decision, and its outcome. All of it is read at one moment.

use contract::{
    codification::CodificationRecord,
    decision::DecisionRecord,
    id::{DecisionId, PolicyId, TenantId, UserId},
    json::{Limits, Value},
    rule::Rule,
    time::Timestamp,
};
use receipt::{
    approval::StoredApproval,
    statement::{SnapshotPolicy, read_snapshot},
};

use super::read::{by_id, whole};
use crate::{
    cx::Cx,
    error::{Error, Result},
    permission,
    policy::codification,
    snapshot,
    tenancy::TenantTx,
};

/// A decision between what it rests on and what came of it.
#[derive(Clone, Debug)]
pub struct Lineage {
    /// The decision, with its outcome if it has one, and its anchor once it is in the log.
    pub decision: DecisionRecord,
    /// The policies of its snapshot, in their order.
    pub policies: Vec<PolicyLineage>,
}

/// A policy that was in force, as the snapshot holds it, and what stands behind its version.
#[derive(Clone, Debug)]
pub struct PolicyLineage {
    /// The policy.
    pub policy_id: PolicyId,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// The number of the version.
    pub version: u32,
    /// The tenant above that hands it down; absent for a policy of one's own. Its clauses are that
    /// tenant's to show.
    pub handed_down_by: Option<TenantId>,
    /// All its rules in authored order, inactive ones included.
    pub rules: Vec<Rule>,
    /// The clauses that the rules come from; absent when they were written without any.
    pub codification: Option<CodificationRecord>,
    /// The digest of the approval that the snapshot names, if it names one.
    pub approval_digest: Option<String>,
    /// That approval, if it is kept.
    pub approval: Option<Approval>,
}

/// Who ratified a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The ratifier.
    pub ratifier: UserId,
    /// In what role.
    pub role: String,
    /// When.
    pub ratified_at: Timestamp,
    /// Whether the ratifier had a hand in making the version.
    pub is_by_maker: bool,
    /// Whether makers must not ratify, at that time.
    pub maker_checker: bool,
    /// The key that signed the approval; absent when it is unsigned.
    pub kid: Option<String>,
}

/// The lineage of a decision.
///
/// # Errors
/// `NOT_FOUND`; `INSUFFICIENT_SCOPE` for a key that may not read both decisions and policies.
pub async fn lineage(cx: &Cx, id: DecisionId) -> Result<Lineage> {
    cx.tenant(permission::READ_POLICIES).map(drop)?;
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin_snapshot().await?;
    let row = by_id(&tx, id).await?;
    let decision = whole(&tx, &row).await?;
    let snapshot = snapshot::by_id(&tx, row.snapshot_id.into()).await?;
    let mut policies = Vec::new();
    for policy in in_force(&snapshot.body)? {
        policies.push(of_policy(&tx, policy).await?);
    }
    tx.end().await?;
    Ok(Lineage { decision, policies })
}

fn in_force(body: &str) -> Result<Vec<SnapshotPolicy>> {
    let body = Value::parse(body.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("a stored snapshot: {fault:?}")))?;
    read_snapshot(&body).map_err(|error| Error::Bug(error.into()))
}

async fn of_policy(tx: &TenantTx, policy: SnapshotPolicy) -> Result<PolicyLineage> {
    let rules: Result<Vec<Rule>> = policy.rules.iter().map(rule).collect();
    let codification = match policy.owner_tenant_id {
        None => codified(tx, &policy).await?,
        Some(_) => None,
    };
    Ok(PolicyLineage {
        approval: approval(tx, &policy).await?,
        approval_digest: policy.approval_digest.map(|digest| digest.to_string()),
        policy_id: policy.policy_id,
        code: policy.code,
        name: policy.name,
        version: policy.version,
        handed_down_by: policy.owner_tenant_id,
        rules: rules?,
        codification,
    })
}

fn rule(value: &Value) -> Result<Rule> {
    serde_json::from_str(&value.to_canonical()).map_err(|error| Error::Bug(error.into()))
}

async fn codified(tx: &TenantTx, policy: &SnapshotPolicy) -> Result<Option<CodificationRecord>> {
    let kept = codification::latest(tx, policy.policy_id, policy.version).await?;
    let record = kept.and_then(|kept| kept.record);
    let record = record.map(|record| serde_json::from_str(&record)).transpose();
    record.map_err(|error| Error::Bug(error.into()))
}

// SQL: it may be an ancestor's, and typed queries begin with the tenant's own rows.
const APPROVAL: &str = "SELECT statement FROM policy_approvals \
                        WHERE tenant_id = $1 AND policy_id = $2 AND digest = $3";

async fn approval(tx: &TenantTx, policy: &SnapshotPolicy) -> Result<Option<Approval>> {
    let Some(digest) = policy.approval_digest else { return Ok(None) };
    let values = [policy.policy_id.0.into(), digest.to_string().into()];
    let rows = tx.all_of(policy.owner_tenant_id, APPROVAL, values).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let statement: String = row.try_get_by_index(0)?;
    let statement = Value::parse(statement.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("a stored approval: {fault:?}")))?;
    let read = StoredApproval::read(&statement).map_err(|error| Error::Bug(error.into()))?;
    Ok(Some(Approval {
        is_by_maker: read.makers.contains(&read.ratifier.user_id),
        ratifier: read.ratifier.user_id,
        role: read.ratifier.role,
        ratified_at: read.ratified_at,
        maker_checker: read.maker_checker,
        kid: read.kid,
    }))
}
