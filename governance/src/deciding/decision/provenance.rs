//! Provenance of a decision: the source clauses of its rules, the ratifiers, the decision and its outcome.
//! All of it is read from one database snapshot.

use contract::{codification::CodificationRecord, decision::DecisionRecord};
use entity::{decision as table, outcome as outcomes, policy_snapshot as snapshots};
use receipt::{
    approval::PolicyApproval,
    statement::{SnapshotPolicy, read_snapshot},
};

use super::read::{with_anchor, with_outcome};
use crate::{access::permission, base::prelude::*};

/// A decision with the origin of its policies and its outcome.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// The decision, with its outcome if recorded and its anchor once it is in the transparency log.
    pub decision: DecisionRecord,
    /// The policies of its snapshot, in their order.
    pub policies: Vec<PolicyProvenance>,
}

/// A policy of the snapshot with the origin of its version.
#[derive(Clone, Debug)]
pub struct PolicyProvenance {
    pub policy_id: PolicyId,
    pub code: String,
    pub name: String,
    pub version: u32,
    /// The ancestor tenant that the policy is inherited from; `None` for the tenant's own policy. The
    /// clauses of an inherited policy are not included, because they belong to that tenant.
    pub inherited_from: Option<TenantId>,
    /// All rules in authored order, including inactive ones.
    pub rules: Vec<Rule>,
    /// The clauses that the rules cite; `None` if the version has no codification.
    pub codification: Option<CodificationRecord>,
    /// The digest of the approval that the snapshot names, if any.
    pub approval_digest: Option<String>,
    /// That approval, if it is stored.
    pub approval: Option<Approval>,
    /// The last activation of the version. It may be later than the decision.
    pub activated_at: Option<Timestamp>,
}

/// The ratification of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    pub ratifier: UserId,
    pub role: String,
    pub ratified_at: Timestamp,
    /// Whether the ratifier is one of the version's makers.
    pub is_by_maker: bool,
    /// Whether maker-checker was enabled at that time.
    pub maker_checker: bool,
    /// The key that signed the approval; `None` if it is unsigned.
    pub kid: Option<String>,
}

/// Returns the provenance of a decision.
///
/// # Errors
/// `NOT_FOUND`; `INSUFFICIENT_SCOPE` for a key that lacks the scope to read decisions or policies.
pub async fn provenance(cx: &Cx, id: DecisionId) -> Result<Provenance> {
    cx.tenant(permission::READ_POLICIES).map(drop)?;
    let tx = cx.tenant(permission::READ_DECISIONS)?.begin_snapshot().await?;
    let snapshot = related(table::Column::SnapshotId, snapshots::Column::Id);
    let row = with_outcome(&tx, id)
        .join(JoinType::InnerJoin, snapshot)
        .column(snapshots::Column::Body)
        .select_also(outcomes::Entity)
        .into_model::<DecisionRow, outcomes::Model>()
        .one(tx.connection())
        .await?;
    let (row, outcome) = row.or_not_found(ResourceKind::Decision)?;
    let decision = with_anchor(&tx, &row.decision, outcome.as_ref()).await?;
    let mut policies = Vec::new();
    for policy in parse_policies(&row.body)? {
        policies.push(of_policy(&tx, policy).await?);
    }
    tx.finish_read().await?;
    Ok(Provenance { decision, policies })
}

/// A decision with the body of its snapshot.
#[derive(Debug, FromQueryResult)]
struct DecisionRow {
    #[sea_orm(nested)]
    decision: table::Model,
    body: String,
}

fn parse_policies(body: &str) -> Result<Vec<SnapshotPolicy>> {
    let body = parse_stored("a stored snapshot", body)?;
    read_snapshot(&body).map_err(Error::internal)
}

async fn of_policy(tx: &TenantTx, policy: SnapshotPolicy) -> Result<PolicyProvenance> {
    let rules: Result<Vec<Rule>> = policy.rules.iter().map(rule).collect();
    let Lifecycle { approval, activated_at, codification } = lifecycle(tx, &policy).await?;
    Ok(PolicyProvenance {
        approval,
        activated_at,
        approval_digest: policy.approval_digest.map(|digest| digest.to_string()),
        policy_id: policy.policy_id,
        code: policy.code,
        name: policy.name,
        version: policy.version,
        inherited_from: policy.owner_tenant_id,
        rules: rules?,
        codification,
    })
}

fn rule(value: &Value) -> Result<Rule> {
    Ok(serde_json::from_str(&value.to_canonical())?)
}

// SQL: the version may belong to an ancestor, and typed queries only cover the tenant's own rows. `$5` is whether it
// does not.
const SELECT_LIFECYCLE: &str = "SELECT a.statement, v.activated_at, CASE WHEN $5 THEN ( \
       SELECT c.record FROM codifications c \
       WHERE c.tenant_id = $1 AND c.policy_id = $2 AND c.version = $3 \
       ORDER BY c.draft_revision DESC LIMIT 1) END \
     FROM policy_versions v \
     LEFT JOIN policy_approvals a ON a.tenant_id = $1 AND a.policy_id = $2 AND a.digest = $4 \
     WHERE v.tenant_id = $1 AND v.policy_id = $2 AND v.version = $3";

/// The approval that the snapshot names, if it is stored, the last activation of the version, and the codification
/// of the tenant's own version.
#[derive(Default)]
struct Lifecycle {
    approval: Option<Approval>,
    activated_at: Option<Timestamp>,
    codification: Option<CodificationRecord>,
}

async fn lifecycle(tx: &TenantTx, policy: &SnapshotPolicy) -> Result<Lifecycle> {
    let values = [
        policy.policy_id.0.into(),
        i32::try_from(policy.version).unwrap_or(-1).into(),
        policy.approval_digest.map(|digest| digest.to_string()).into(),
        policy.owner_tenant_id.is_none().into(),
    ];
    let rows = tx.owner_tuples(policy.owner_tenant_id, SELECT_LIFECYCLE, values).await?;
    let Some(row) = rows.into_iter().next() else { return Ok(Lifecycle::default()) };
    let (statement, activated_at, record): (Option<String>, _, Option<String>) = row;
    let approval = statement.map(|statement| parse_approval(&statement)).transpose()?;
    let codification = record.map(|record| serde_json::from_str(&record)).transpose();
    Ok(Lifecycle {
        approval,
        activated_at: Option::map(activated_at, from_column),
        codification: codification.map_err(Error::internal)?,
    })
}

fn parse_approval(statement: &str) -> Result<Approval> {
    let statement = parse_stored("a stored approval", statement)?;
    let parsed = PolicyApproval::read(&statement).map_err(Error::internal)?;
    Ok(Approval {
        is_by_maker: parsed.makers.contains(&parsed.ratifier.user_id),
        ratifier: parsed.ratifier.user_id,
        role: parsed.ratifier.role,
        ratified_at: parsed.ratified_at,
        maker_checker: parsed.maker_checker,
        kid: parsed.kid,
    })
}
