//! The policies in force, compiled once and kept for as long as they are current.

mod stored;

use std::sync::Arc;

use contract::{
    decision::{DecidingPolicy, EvaluatedPolicy, EvaluatedRule},
    error::FieldError,
    id::{PolicyGroupId, PolicyId, PolicyVersionId, SnapshotId, TenantId},
    json::{Limits, Value},
    rule::Rule,
};
use engine::{PolicyRules, Program};
use moka::future::Cache;
use receipt::{
    digest::Digest,
    statement::{self, SnapshotGroup, SnapshotPolicy},
};
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

pub use self::stored::read;
pub(crate) use self::stored::stored;
use crate::{
    audit::Event,
    error::{Error, Result, invalid, no_active_policies},
    group,
    tenancy::{Tenant, TenantTx, instant, statement as sql},
};

/// The snapshot of one kind of request, ready to decide.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// The stored row.
    pub(crate) id: SnapshotId,
    /// Digest of the stored object.
    pub(crate) digest: Digest,
    /// Digest of the active rules.
    pub(crate) rules_hash: Digest,
    /// The rules, compiled.
    pub(crate) program: Program,
    /// The policies as answers name them, in snapshot order.
    pub(crate) policies: Vec<EvaluatedPolicy>,
    /// The activation counter at which these policies were in force.
    pub(crate) activations: i64,
}

impl Snapshot {
    /// The policy at `index` of the snapshot's order, as a decision names the one that decided.
    pub(crate) fn deciding(policy: &EvaluatedPolicy) -> DecidingPolicy {
        DecidingPolicy {
            id: policy.policy_id,
            code: policy.policy_code.clone(),
            name: policy.policy_name.clone(),
            version: policy.version,
        }
    }
}

/// Which policies a request is about, beyond its decision type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrowing<'a> {
    /// Only policies of the group with this code, whatever the case of its letters.
    pub(crate) policy_group_code: Option<&'a str>,
    /// Only these policies.
    pub(crate) policy_ids: Option<&'a [PolicyId]>,
}

/// A tenant at one count of its activations.
type Moment = (TenantId, i64);

/// The caches: what is in force by tenant and activation counter, and compiled snapshots by the
/// selection of policies. A counter that moves makes both out of date at once.
#[derive(Debug)]
pub(crate) struct Snapshots {
    in_force: Cache<Moment, Arc<InForce>>,
    compiled: Cache<(Moment, Vec<usize>), Arc<Snapshot>>,
}

/// How many tenants' policies, and how many compiled snapshots, are kept at the most.
const KEPT: u64 = 1_000;

impl Default for Snapshots {
    fn default() -> Self {
        Self { in_force: Cache::new(KEPT), compiled: Cache::new(KEPT) }
    }
}

/// All active policies of a tenant, in snapshot order.
#[derive(Debug)]
pub(crate) struct InForce {
    activations: i64,
    policies: Vec<ActivePolicy>,
}

#[derive(Debug)]
struct ActivePolicy {
    snapshot: SnapshotPolicy,
    rules: Vec<Rule>,
    decision_types: Vec<String>,
    regulatory_refs: Vec<String>,
}

/// The snapshot of the policies that govern `decision_type`, narrowed as the request asks.
///
/// # Errors
/// `NO_ACTIVE_POLICIES` when nothing governs it; `VALIDATION_ERROR` for a group or policy that is
/// not there.
pub(crate) async fn of(
    tenant: &Tenant<'_>,
    decision_type: &str,
    narrowing: Narrowing<'_>,
) -> Result<Arc<Snapshot>> {
    let in_force = in_force(tenant).await?;
    in_force.snapshot(tenant, decision_type, narrowing).await
}

/// The policies in force, for several questions that are decided on the same ones.
pub(crate) async fn in_force(tenant: &Tenant<'_>) -> Result<Arc<InForce>> {
    let snapshots = tenant.cx().governance.snapshots();
    let moment = (tenant.id(), tenant.activations());
    snapshots.in_force.try_get_with(moment, load(tenant)).await.map_err(shared)
}

/// The same refusal for each of the requests that waited for one result.
#[expect(clippy::needless_pass_by_value, reason = "used as a function for map_err")]
fn shared(error: Arc<Error>) -> Error {
    match error.as_ref() {
        Error::Refused(refusal) => Error::Refused(refusal.clone()),
        Error::Unavailable { retry_after, .. } => {
            Error::Unavailable { retry_after: *retry_after, cause: error.to_string().into() }
        }
        Error::Bug(_) => Error::bug(error.to_string()),
    }
}

impl InForce {
    /// The snapshot of those that govern `decision_type`, narrowed as the request asks.
    ///
    /// # Errors
    /// As [`of`].
    pub(crate) async fn snapshot(
        &self,
        tenant: &Tenant<'_>,
        decision_type: &str,
        narrowing: Narrowing<'_>,
    ) -> Result<Arc<Snapshot>> {
        self.check(tenant, narrowing).await?;
        let selected = self.select(decision_type, narrowing);
        if selected.is_empty() {
            return Err(no_active_policies(decision_type).into());
        }
        let moment = (tenant.id(), self.activations);
        let snapshots = tenant.cx().governance.snapshots();
        snapshots
            .compiled
            .try_get_with((moment, selected.clone()), compile(tenant, self, &selected))
            .await
            .map_err(shared)
    }

    /// Refuses a narrowing to a group or to policies that are not there.
    async fn check(&self, tenant: &Tenant<'_>, narrowing: Narrowing<'_>) -> Result<()> {
        let mut errors = Vec::new();
        // Only a group without active policies has to be looked for.
        if let Some(code) = narrowing.policy_group_code
            && !self.policies.iter().any(|policy| policy.is_in_group(code))
            && !group::is_known(tenant, code).await?
        {
            let message = "there is no policy group with this code";
            errors.push(unknown("/policy_group_code".to_owned(), message));
        }
        let is_active = |id| self.policies.iter().any(|policy| policy.snapshot.policy_id == id);
        for (index, id) in narrowing.policy_ids.unwrap_or_default().iter().enumerate() {
            if !is_active(*id) {
                let message = "there is no active policy with this id";
                errors.push(unknown(format!("/policy_ids/{index}"), message));
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(invalid(&errors).into()) }
    }

    /// The positions of the policies that a request is about.
    fn select(&self, decision_type: &str, narrowing: Narrowing<'_>) -> Vec<usize> {
        let governs = |policy: &ActivePolicy| {
            let types = &policy.decision_types;
            let by_type = types.is_empty() || types.iter().any(|known| known == decision_type);
            let ids = narrowing.policy_ids;
            by_type
                && narrowing.policy_group_code.is_none_or(|code| policy.is_in_group(code))
                && ids.is_none_or(|ids| ids.contains(&policy.snapshot.policy_id))
        };
        let policies = self.policies.iter().enumerate();
        policies.filter(|(_, policy)| governs(policy)).map(|(index, _)| index).collect()
    }
}

impl ActivePolicy {
    fn is_in_group(&self, code: &str) -> bool {
        let group = self.snapshot.group.as_ref();
        group.is_some_and(|group| group.code.eq_ignore_ascii_case(code))
    }
}

fn unknown(path: String, message: &str) -> FieldError {
    FieldError { path, code: "unknown".to_owned(), message: message.to_owned() }
}

/// One statement, so that counter and policies belong together.
const ACTIVE: &str = "SELECT h.activation_counter, p.id, v.id, p.code, p.name, v.version, \
     p.shadow_mode, p.decision_types, p.regulatory_refs, v.rules, g.id, g.code \
     FROM tenant_heads h \
     LEFT JOIN policy_versions v ON v.tenant_id = h.tenant_id AND v.is_active \
     LEFT JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id \
     LEFT JOIN policy_groups g ON g.tenant_id = p.tenant_id AND g.id = p.policy_group_id \
     WHERE h.tenant_id = $1";

async fn load(tenant: &Tenant<'_>) -> Result<Arc<InForce>> {
    let tx = tenant.begin().await?;
    let rows = tx.connection().query_all_raw(sql(ACTIVE, [tx.tenant_value()])).await?;
    tx.end().await?;
    let head = rows.first().ok_or_else(|| Error::bug("a tenant without its head row"))?;
    let activations = head.try_get_by_index(0)?;
    let mut policies = rows.iter().filter_map(|row| active(row).transpose());
    let mut policies = policies.by_ref().collect::<Result<Vec<_>>>()?;
    policies.sort_by(|a, b| a.snapshot.snapshot_order(&b.snapshot));
    Ok(Arc::new(InForce { activations, policies }))
}

/// The policy of a row, unless the tenant has none.
fn active(row: &QueryResult) -> Result<Option<ActivePolicy>> {
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
            owner_tenant_id: None,
            approval_digest: None,
            rules: values,
        },
        rules,
        decision_types: row.try_get_by_index(7)?,
        regulatory_refs: row.try_get_by_index(8)?,
    }))
}

/// The group of the policy of a row.
fn group_of(row: &QueryResult) -> Result<Option<SnapshotGroup>> {
    let Some(id) = row.try_get_by_index::<Option<Uuid>>(10)? else { return Ok(None) };
    Ok(Some(SnapshotGroup { id: PolicyGroupId(id), code: row.try_get_by_index(11)? }))
}

/// Stored rules, as the tree that is hashed and as what is compiled.
pub(crate) fn read_rules(authored: &str) -> Result<(Vec<Value>, Vec<Rule>)> {
    let tree = Value::parse(authored.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("stored rules: {fault:?}")))?;
    let rules = serde_json::from_str(authored).map_err(|error| Error::Bug(error.into()))?;
    let Value::Array(values) = tree else { return Err(Error::bug("stored rules are no array")) };
    Ok((values, rules))
}

async fn compile(
    tenant: &Tenant<'_>,
    in_force: &InForce,
    selected: &[usize],
) -> Result<Arc<Snapshot>> {
    let chosen: Vec<&ActivePolicy> =
        selected.iter().filter_map(|index| in_force.policies.get(*index)).collect();
    let policies: Vec<SnapshotPolicy> =
        chosen.iter().map(|policy| policy.snapshot.clone()).collect();
    let body = statement::snapshot(&policies);
    let rules_hash = statement::evaluated_rules(&policies).digest;
    let rules: Vec<PolicyRules<'_>> = chosen
        .iter()
        .map(|policy| PolicyRules {
            policy_id: policy.snapshot.policy_id,
            shadow_mode: policy.snapshot.shadow_mode,
            rules: &policy.rules,
        })
        .collect();
    let program = Program::compile(&rules).map_err(|error| Error::Bug(error.into()))?;
    Ok(Arc::new(Snapshot {
        id: find_or_append(tenant, &body.text, body.digest, rules_hash).await?,
        digest: body.digest,
        rules_hash,
        program,
        policies: chosen.into_iter().map(evaluated).collect(),
        activations: in_force.activations,
    }))
}

fn evaluated(policy: &ActivePolicy) -> EvaluatedPolicy {
    let rule = |rule: &Rule| EvaluatedRule {
        code: rule.code.clone(),
        name: rule.name.clone(),
        when: rule.when.clone(),
    };
    let group = policy.snapshot.group.as_ref();
    EvaluatedPolicy {
        policy_id: policy.snapshot.policy_id,
        policy_code: policy.snapshot.code.clone(),
        policy_name: policy.snapshot.name.clone(),
        version: policy.snapshot.version,
        shadow_mode: policy.snapshot.shadow_mode,
        policy_group_id: group.map(|group| group.id),
        policy_group_code: group.map(|group| group.code.clone()),
        rules: policy.rules.iter().filter(|rule| rule.active()).map(rule).collect(),
        regulatory_refs: policy.regulatory_refs.clone(),
    }
}

const BY_DIGEST: &str = "SELECT id FROM policy_snapshots WHERE tenant_id = $1 AND digest = $2";

const APPEND: &str = "INSERT INTO policy_snapshots \
     (tenant_id, id, digest, body, evaluated_rules_hash, created_at) \
     VALUES ($1, $2, $3, $4, $5, $6)";

/// The row of a snapshot; a new one only when none has this digest.
async fn find_or_append(
    tenant: &Tenant<'_>,
    body: &str,
    digest: Digest,
    rules_hash: Digest,
) -> Result<SnapshotId> {
    let cx = tenant.cx();
    let mut tx = tenant.begin().await?;
    if let Some(id) = by_digest(&tx, digest).await? {
        tx.end().await?;
        return Ok(id);
    }
    // Whoever holds the head row is the only one to append.
    tx.head().await?;
    if let Some(id) = by_digest(&tx, digest).await? {
        tx.end().await?;
        return Ok(id);
    }
    let id: SnapshotId = cx.governance.chance().id();
    let values = [
        id.0.into(),
        digest.to_string().into(),
        body.into(),
        rules_hash.to_string().into(),
        instant(cx.now),
    ];
    tx.execute(APPEND, values).await?;
    tx.commit(cx, Event::new("snapshot.append", "policy_snapshot", id)).await?;
    Ok(id)
}

async fn by_digest(tx: &TenantTx, digest: Digest) -> Result<Option<SnapshotId>> {
    let row = tx.one(BY_DIGEST, [digest.to_string().into()]).await?;
    Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.map(SnapshotId))
}
