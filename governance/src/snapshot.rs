//! The policies in force, compiled once and kept for as long as they are current.

mod append;
mod draft;
mod load;
mod stored;

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use contract::{
    decision::{DecidingPolicy, EvaluatedPolicy, EvaluatedRule, GovernanceSource},
    error::FieldError,
    evaluation,
    id::{PolicyId, SnapshotId, TenantId},
    rule::Rule,
};
use engine::{PolicyRules, Program};
use moka::future::Cache;
use receipt::{
    digest::Digest,
    statement::{self, SnapshotPolicy},
};
use tokio::sync::OnceCell;

pub use self::stored::read;
use self::{
    append::{append, by_digest, find, find_or_append},
    load::{load, load_within},
};
pub(crate) use self::{
    draft::alone,
    load::{approval_digest, read_rules, rule_values},
    stored::{by_id, stored},
};
use crate::{
    cx::Cx,
    error::{Error, Result, invalid, no_active_policies},
    group,
    tenancy::{Tenant, TenantTx},
};

/// The snapshot of one kind of request, ready to decide.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// The id that a new row gets.
    derived_id: SnapshotId,
    /// The id of the stored row, once there is one.
    row: OnceCell<SnapshotId>,
    /// The object that a new row stores; absent when a row was found.
    body: Option<String>,
    /// Digest of the object.
    pub(crate) digest: Digest,
    /// Digest of the active rules.
    pub(crate) rules_hash: Digest,
    /// The rules, compiled.
    pub(crate) program: Program,
    /// The policies as answers name them, in snapshot order.
    pub(crate) policies: Arc<Vec<EvaluatedPolicy>>,
    /// Their JSON text, once an answer has needed it.
    policies_text: OnceLock<String>,
    /// Whose policies these are, as far as they are not the tenant's own.
    pub(crate) inherited: BTreeMap<PolicyId, GovernanceSource>,
    /// The activation counter at which these policies were in force.
    pub(crate) activations: i64,
}

impl Snapshot {
    /// Compiles the policies at the positions `selected`. No row is looked for.
    fn compile(tenant_id: TenantId, in_force: &InForce, selected: &[usize]) -> Result<Self> {
        let chosen: Vec<&ActivePolicy> =
            selected.iter().filter_map(|index| in_force.policies.get(*index)).collect();
        let policies: Vec<SnapshotPolicy> =
            chosen.iter().map(|policy| policy.snapshot.clone()).collect();
        let rules: Vec<PolicyRules<'_>> = chosen
            .iter()
            .map(|policy| PolicyRules {
                policy_id: policy.snapshot.policy_id,
                shadow_mode: policy.snapshot.shadow_mode,
                rules: &policy.rules,
            })
            .collect();
        let body = statement::snapshot(&policies);
        Ok(Self {
            derived_id: statement::snapshot_id(tenant_id, body.digest),
            row: OnceCell::new(),
            digest: body.digest,
            body: Some(body.text),
            rules_hash: statement::evaluated_rules(&policies).digest,
            program: Program::compile(&rules).map_err(|error| Error::Bug(error.into()))?,
            inherited: chosen.iter().filter_map(|policy| inherited(policy)).collect(),
            policies: Arc::new(chosen.into_iter().map(evaluated).collect()),
            policies_text: OnceLock::new(),
            activations: in_force.activations,
        })
    }

    /// Sets the row that was found or appended.
    fn with_row(self, id: SnapshotId) -> Self {
        Self { row: OnceCell::new_with(Some(id)), body: None, ..self }
    }

    /// The id of the stored row, or the one that a row gets when a decision is recorded.
    pub(crate) fn id(&self) -> SnapshotId {
        self.row.get().copied().unwrap_or(self.derived_id)
    }

    /// Stores the row unless there is one. Callers that ask at the same time share one transaction.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away.
    pub(crate) async fn store(&self, tenant: &Tenant<'_>) -> Result<()> {
        self.row.get_or_try_init(|| find_or_append(tenant, self)).await.map(drop)
    }

    /// The JSON text of the policies.
    pub(crate) fn policies_text(&self) -> Result<&str> {
        if let Some(text) = self.policies_text.get() {
            return Ok(text);
        }
        let text =
            serde_json::to_string(&self.policies).map_err(|error| Error::Bug(error.into()))?;
        Ok(self.policies_text.get_or_init(|| text))
    }

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

/// Which of the tenant's own policies a request asks for, beyond its decision type. Inherited policies always
/// apply: a request cannot leave out what the tenant hierarchy requires.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Narrowing<'a> {
    /// Only policies of the group with this code, whatever the case of its letters.
    pub(crate) policy_group_code: Option<&'a str>,
    /// Only these policies.
    pub(crate) policy_ids: Option<&'a [PolicyId]>,
}

impl<'a> Narrowing<'a> {
    /// The narrowing of a recorded decision.
    pub(crate) fn recorded(narrowing: Option<&'a evaluation::Narrowing>) -> Self {
        Self {
            policy_group_code: narrowing.and_then(|found| found.policy_group_code.as_deref()),
            policy_ids: narrowing.and_then(|found| found.policy_ids.as_deref()),
        }
    }

    /// The narrowing as a result states it; `None` when the request asked for all policies.
    pub(crate) fn stated(self) -> Option<evaluation::Narrowing> {
        evaluation::Narrowing::of(self.policy_group_code, self.policy_ids)
    }
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

/// All policies that govern a tenant: its own active ones, and those handed down; in snapshot order.
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
    /// Whose it is, when it is handed down from above.
    inherited: Option<GovernanceSource>,
}

/// The snapshot of the policies that govern `decision_type`, narrowed as the request asks. Nothing is stored.
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
    snapshots.in_force.try_get_with(moment, load(tenant)).await.map_err(again)
}

/// The same error for each of the requests that waited for one result.
#[expect(clippy::needless_pass_by_value, reason = "used as a function for map_err")]
fn again(error: Arc<Error>) -> Error {
    error.again()
}

/// The same within a transaction that holds the tenant's head, so that nothing can change before it
/// ends. A snapshot that is new is appended in that transaction.
///
/// # Errors
/// As [`of`].
pub(crate) async fn within(
    tx: &mut TenantTx,
    cx: &Cx,
    decision_type: &str,
    narrowing: Narrowing<'_>,
) -> Result<Arc<Snapshot>> {
    let in_force = load_within(tx).await?;
    if tx.head().await?.activations != in_force.activations {
        return Err(Error::overloaded("the head of the tenant moves while it is held"));
    }
    let is_known = match in_force.unseen_group(narrowing) {
        Some(code) => group::is_known_within(tx, code).await?,
        None => true,
    };
    in_force.check(narrowing, is_known)?;
    let selected = in_force.select(decision_type, narrowing);
    if selected.is_empty() {
        return Err(no_active_policies(decision_type).into());
    }
    let snapshot = Snapshot::compile(tx.tenant_id(), &in_force, &selected)?;
    let id = match by_digest(tx, snapshot.digest).await? {
        Some(id) => id,
        None => append(tx, cx, &snapshot).await?,
    };
    Ok(Arc::new(snapshot.with_row(id)))
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
        let is_known = match self.unseen_group(narrowing) {
            Some(code) => group::is_known(tenant, code).await?,
            None => true,
        };
        self.check(narrowing, is_known)?;
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
            .map_err(again)
    }

    /// The group that is asked for, if it must be looked for because none of its policies is active.
    fn unseen_group<'n>(&self, narrowing: Narrowing<'n>) -> Option<&'n str> {
        let is_unseen = |code: &&str| !self.policies.iter().any(|policy| policy.is_in_group(code));
        narrowing.policy_group_code.filter(is_unseen)
    }

    /// Refuses a narrowing to a group or to policies that are not there.
    fn check(&self, narrowing: Narrowing<'_>, is_group_known: bool) -> Result<()> {
        let mut errors = Vec::new();
        if !is_group_known {
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
            let by_request =
                narrowing.policy_group_code.is_none_or(|code| policy.is_in_group(code))
                    && ids.is_none_or(|ids| ids.contains(&policy.snapshot.policy_id));
            by_type && (policy.inherited.is_some() || by_request)
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

async fn compile(
    tenant: &Tenant<'_>,
    in_force: &InForce,
    selected: &[usize],
) -> Result<Arc<Snapshot>> {
    let snapshot = Snapshot::compile(tenant.id(), in_force, selected)?;
    // A row that an earlier release stored has an id of its own, which stays.
    Ok(Arc::new(match find(tenant, snapshot.digest).await? {
        Some(id) => snapshot.with_row(id),
        None => snapshot,
    }))
}

fn inherited(policy: &ActivePolicy) -> Option<(PolicyId, GovernanceSource)> {
    Some((policy.snapshot.policy_id, policy.inherited.clone()?))
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
