//! Policy snapshots: the active policies, compiled and cached while they are current.

mod append;
mod cache;
mod draft;
mod load;
mod rules;
mod selection;
mod stored;

use std::sync::OnceLock;

use contract::decision::{DecidingPolicy, EvaluatedPolicy, EvaluatedRule, GovernanceSource};
use engine::Program;
use receipt::statement::{self, SnapshotPolicy};
use tokio::sync::OnceCell;

pub use self::stored::read;
use self::{
    append::{append, by_digest, find, find_or_append},
    load::{load, load_within},
    rules::CompiledRules,
    selection::SelectionOrigin,
};
pub(crate) use self::{
    cache::Snapshots,
    draft::single_version,
    selection::PolicySelection,
    stored::{by_id, compile_stored},
};
use crate::{
    authoring::group,
    base::{
        error::{no_active_policies, policies_too_large},
        prelude::*,
    },
    deciding::bundle_size::{POLICIES_MAX, POLICY_BYTES_MAX},
};

/// The steps of reading one byte of the rules of policies, or of writing it to a snapshot.
const STEPS_PER_BYTE: u64 = 16;

/// A policy snapshot, ready for evaluation.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) tenant_id: TenantId,
    /// The ID that a new row receives.
    derived_id: SnapshotId,
    /// The ID of the stored row, once it exists.
    row: OnceCell<SnapshotId>,
    /// The canonical JSON that a new row stores; `None` if a row was found.
    body: Option<String>,
    /// The digest of the canonical JSON.
    pub(crate) digest: Digest,
    /// The digest of the active rules.
    pub(crate) rules_hash: Digest,
    rules: Arc<CompiledRules>,
    /// The policies in the form of responses, in snapshot order.
    pub(crate) policies: Arc<Vec<EvaluatedPolicy>>,
    /// The JSON text of `policies`, serialized on first use.
    policies_text: OnceLock<String>,
    /// The source of each inherited policy.
    pub(crate) inherited: BTreeMap<PolicyId, GovernanceSource>,
    /// The activation counter at which these policies were active.
    pub(crate) activations: i64,
    /// The size in bytes of the snapshot and of its evaluated rules as JSON.
    pub(crate) texts_bytes: usize,
}

impl Snapshot {
    /// Creates the snapshot of these policies with their compiled rules. Does not look for a stored row.
    fn new(
        tenant_id: TenantId,
        activations: i64,
        chosen: &[&ActivePolicy],
        rules: Arc<CompiledRules>,
    ) -> Self {
        let policies: Vec<SnapshotPolicy> =
            chosen.iter().map(|policy| policy.snapshot.clone()).collect();
        let body = statement::snapshot(&policies);
        let evaluated_rules = statement::evaluated_rules(&policies);
        Self {
            tenant_id,
            derived_id: statement::snapshot_id(tenant_id, body.digest),
            row: OnceCell::new(),
            digest: body.digest,
            texts_bytes: body.text.len().saturating_add(evaluated_rules.text.len()),
            body: Some(body.text),
            rules_hash: evaluated_rules.digest,
            rules,
            inherited: chosen.iter().filter_map(|policy| inherited_entry(policy)).collect(),
            policies: Arc::new(chosen.iter().map(|policy| to_evaluated(policy)).collect()),
            policies_text: OnceLock::new(),
            activations,
        }
    }

    /// Sets the row that was found or appended.
    fn with_row(self, id: SnapshotId) -> Self {
        Self { row: OnceCell::new_with(Some(id)), body: None, ..self }
    }

    /// Returns the ID of the stored row, or the ID it will receive when a decision is recorded.
    pub(crate) fn id(&self) -> SnapshotId {
        self.row.get().copied().unwrap_or(self.derived_id)
    }

    /// Stores the row unless it exists. Concurrent callers share one transaction.
    pub(crate) async fn store(&self, tenant: &Tenant<'_>) -> Result<()> {
        self.row.get_or_try_init(|| find_or_append(tenant, self)).await.map(drop)
    }

    /// Returns the compiled rules.
    pub(crate) fn program(&self) -> &Program {
        &self.rules.program
    }

    /// Returns the memory in bytes.
    fn bytes(&self) -> usize {
        // The JSON text, its copy in responses and the policies that it is written from.
        self.texts_bytes.saturating_mul(3).saturating_add(self.rules.bytes)
    }

    pub(crate) fn policies_text(&self) -> Result<&str> {
        if let Some(text) = self.policies_text.get() {
            return Ok(text);
        }
        let text = serde_json::to_string(&self.policies)?;
        Ok(self.policies_text.get_or_init(|| text))
    }

    /// Converts `policy`, which determined the verdict of a decision, to the form of the decision record.
    pub(crate) fn deciding(policy: &EvaluatedPolicy) -> DecidingPolicy {
        DecidingPolicy {
            id: policy.policy_id,
            code: policy.policy_code.clone(),
            name: policy.policy_name.clone(),
            version: policy.version,
        }
    }
}

/// The policies that govern a tenant, its own active ones and the inherited ones, in snapshot order.
#[derive(Debug)]
pub(crate) struct ActivePolicies {
    activations: i64,
    policies: Vec<ActivePolicy>,
}

#[derive(Debug)]
struct ActivePolicy {
    snapshot: SnapshotPolicy,
    rules: Vec<Rule>,
    /// The size of the rules and references in bytes.
    bytes: usize,
    decision_types: Vec<String>,
    regulatory_refs: Vec<String>,
    /// The source of an inherited policy.
    inherited: Option<GovernanceSource>,
}

/// Returns the snapshot of the policies that govern `decision_type` and match `narrowing`. Stores nothing.
///
/// # Errors
/// `NO_ACTIVE_POLICIES` if no policy governs it; `VALIDATION_ERROR` for an unknown group or policy, or if the policies
/// are too large.
pub(crate) async fn resolve(
    tenant: &Tenant<'_>,
    decision_type: &str,
    narrowing: PolicySelection<'_>,
) -> Result<Arc<Snapshot>> {
    let active_policies = active_policies(tenant).await?;
    active_policies.snapshot(tenant, decision_type, narrowing).await
}

/// Returns the active policies, for several evaluations on the same policies.
pub(crate) async fn active_policies(tenant: &Tenant<'_>) -> Result<Arc<ActivePolicies>> {
    tenant.cx().governance.deciding().snapshots.active_policies(tenant).await
}

// SQL: one column of a table whose other columns are only read with a lock.
const SELECT_ACTIVATIONS: &str = "SELECT activation_counter FROM tenant_heads WHERE tenant_id = $1";

/// Returns the active policies of a tenant whose activation counter was not read with the caller, as for public callers.
pub(crate) async fn current_policies(tenant: &Tenant<'_>) -> Result<Arc<ActivePolicies>> {
    let counters = tenant.tuples(SELECT_ACTIVATIONS, []).await?;
    let counter = counters.first().or_bug("a tenant without its head row")?;
    active_policies(&tenant.with_activation_counter(*counter)).await
}

/// Like [`resolve`], in a transaction that has locked the tenant head, so that nothing changes until it
/// ends. Appends a new snapshot in that transaction.
pub(crate) async fn resolve_in(
    tx: &mut TenantTx,
    cx: &Cx,
    decision_type: &str,
    narrowing: PolicySelection<'_>,
) -> Result<Arc<Snapshot>> {
    let active_policies = load_within(tx).await?;
    if tx.lock_head().await?.activations != active_policies.activations {
        return Err(Error::overloaded("the tenant head changed while it was locked"));
    }
    let group_exists = match active_policies.unresolved_group(narrowing) {
        Some(code) => group::is_known_within(tx, code).await?,
        None => true,
    };
    let selected = active_policies.select(decision_type, narrowing, group_exists)?;
    let tenant_id = tx.tenant_id();
    let chosen = active_policies.at(&selected);
    let rules = cx.governance.deciding().snapshots.rules(cx, tenant_id, &chosen).await?;
    let snapshot = Snapshot::new(tenant_id, active_policies.activations, &chosen, rules);
    let id = match by_digest(tx, snapshot.digest).await? {
        Some(id) => id,
        None => append(tx, cx, &snapshot).await?,
    };
    Ok(Arc::new(snapshot.with_row(id)))
}

impl ActivePolicies {
    /// Returns the snapshot of the policies that govern `decision_type` and match `narrowing`.
    pub(crate) async fn snapshot(
        &self,
        tenant: &Tenant<'_>,
        decision_type: &str,
        narrowing: PolicySelection<'_>,
    ) -> Result<Arc<Snapshot>> {
        let group_exists = match self.unresolved_group(narrowing) {
            Some(code) => group::exists(tenant, code).await?,
            None => true,
        };
        let selected = self.select(decision_type, narrowing, group_exists)?;
        tenant.cx().governance.deciding().snapshots.snapshot(tenant, self, &selected).await
    }

    /// Returns the policies at these positions.
    fn at(&self, selected: &[usize]) -> Vec<&ActivePolicy> {
        selected.iter().filter_map(|index| self.policies.get(*index)).collect()
    }

    /// Checks that a policy governs `decision_type` for a selection without a group.
    pub(crate) fn require_governed(
        &self,
        decision_type: &str,
        narrowing: PolicySelection<'_>,
    ) -> Result<()> {
        self.select(decision_type, narrowing, true).map(drop)
    }

    /// Returns the requested group if none of its policies is active, so that its existence must be
    /// checked.
    fn unresolved_group<'n>(&self, narrowing: PolicySelection<'n>) -> Option<&'n str> {
        let has_no_active_policy =
            |code: &&str| !self.policies.iter().any(|policy| policy.is_in_group(code));
        narrowing.policy_group_code.filter(has_no_active_policy)
    }

    /// Checks that the selected group and policies exist.
    fn check(
        &self,
        decision_type: &str,
        narrowing: PolicySelection<'_>,
        group_exists: bool,
    ) -> Result<()> {
        let mut errors = Vec::new();
        if !group_exists {
            let message = "there is no policy group with this code";
            errors.push(FieldError::new("/policy_group_code", "unknown", message));
        }
        let is_active = |id| self.policies.iter().any(|policy| policy.snapshot.policy_id == id);
        for (index, id) in narrowing.policy_ids.unwrap_or_default().iter().enumerate() {
            if !is_active(*id) {
                let message = "there is no active policy with this id";
                errors.push(FieldError::new(format!("/policy_ids/{index}"), "unknown", message));
            }
        }
        if errors.is_empty() {
            return Ok(());
        }
        match narrowing.origin {
            SelectionOrigin::Request => Err(invalid(&errors).into()),
            SelectionOrigin::Form => Err(no_active_policies(decision_type).into()),
        }
    }

    /// Returns the positions of the policies that apply to a request.
    fn select(
        &self,
        decision_type: &str,
        narrowing: PolicySelection<'_>,
        group_exists: bool,
    ) -> Result<Vec<usize>> {
        self.check(decision_type, narrowing, group_exists)?;
        let governs = |policy: &ActivePolicy| {
            let types = &policy.decision_types;
            let by_type =
                types.is_empty() || types.iter().any(|governed| governed == decision_type);
            let ids = narrowing.policy_ids;
            let by_request =
                narrowing.policy_group_code.is_none_or(|code| policy.is_in_group(code))
                    && ids.is_none_or(|ids| ids.contains(&policy.snapshot.policy_id));
            by_type && (policy.inherited.is_some() || by_request)
        };
        let policies = self.policies.iter().enumerate();
        let selected: Vec<usize> =
            policies.filter(|(_, policy)| governs(policy)).map(|(index, _)| index).collect();
        if selected.is_empty() {
            return Err(no_active_policies(decision_type).into());
        }
        self.check_size(decision_type, &selected)?;
        Ok(selected)
    }

    /// Checks that the policies at these positions are not too many or too large for the bundle of a decision.
    fn check_size(&self, decision_type: &str, selected: &[usize]) -> Result<()> {
        let bytes = self.at(selected).iter().map(|policy| policy.bytes).sum::<usize>();
        if selected.len() > POLICIES_MAX || bytes > POLICY_BYTES_MAX {
            let mebibytes = POLICY_BYTES_MAX >> 20;
            return Err(policies_too_large(decision_type, POLICIES_MAX, mebibytes).into());
        }
        Ok(())
    }
}

impl ActivePolicy {
    fn is_in_group(&self, code: &str) -> bool {
        let group = self.snapshot.group.as_ref();
        group.is_some_and(|group| group.code.eq_ignore_ascii_case(code))
    }
}

fn inherited_entry(policy: &ActivePolicy) -> Option<(PolicyId, GovernanceSource)> {
    Some((policy.snapshot.policy_id, policy.inherited.clone()?))
}

fn to_evaluated(policy: &ActivePolicy) -> EvaluatedPolicy {
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
        rules: policy.rules.iter().filter(|rule| rule.is_active()).map(rule).collect(),
        regulatory_refs: policy.regulatory_refs.clone(),
    }
}

#[cfg(test)]
mod tests {
    use contract::{error::ErrorCode, id::PolicyVersionId};
    use uuid::Uuid;

    use super::*;

    /// An inherited policy that governs all decision types.
    pub(super) fn active_policy() -> ActivePolicy {
        ActivePolicy {
            snapshot: SnapshotPolicy {
                policy_id: PolicyId(Uuid::from_u128(1)),
                policy_version_id: PolicyVersionId(Uuid::from_u128(2)),
                code: "PARENT".to_owned(),
                name: "Parent".to_owned(),
                version: 1,
                shadow_mode: false,
                group: None,
                owner_tenant_id: Some(TenantId(Uuid::from_u128(3))),
                approval_digest: None,
                rules: Vec::new(),
            },
            rules: Vec::new(),
            bytes: 0,
            decision_types: Vec::new(),
            regulatory_refs: Vec::new(),
            inherited: Some(GovernanceSource {
                tenant_id: TenantId(Uuid::from_u128(3)),
                tenant_name: "parent".to_owned(),
                level: 1,
            }),
        }
    }

    #[test]
    fn error_for_an_inactive_policy_depends_on_the_origin_of_the_selection() {
        let active = ActivePolicies { activations: 1, policies: vec![active_policy()] };
        let select = |narrowing| active.select("payment", narrowing, true);
        let inactive = [PolicyId(Uuid::from_u128(9))];
        let requested = select(PolicySelection::requested(None, Some(&inactive)));
        assert_eq!(requested.unwrap_err().code(), ErrorCode::ValidationError);
        let of_form = select(PolicySelection::of_form(&inactive[0]));
        assert_eq!(of_form.unwrap_err().code(), ErrorCode::NoActivePolicies);
        assert_eq!(select(PolicySelection::default()).unwrap(), [0]);
    }

    #[test]
    fn policies_that_no_bundle_could_contain_are_refused() {
        let refusal = |count: usize, bytes: usize| {
            let policy = || ActivePolicy { bytes, ..active_policy() };
            let policies = (0..count).map(|_| policy()).collect();
            let active = ActivePolicies { activations: 1, policies };
            active.select("payment", PolicySelection::default(), true).err()
        };
        assert!(refusal(POLICIES_MAX, POLICY_BYTES_MAX / POLICIES_MAX).is_none());
        for (count, bytes) in [(POLICIES_MAX + 1, 0), (1, POLICY_BYTES_MAX + 1)] {
            let code = refusal(count, bytes).map(|error| error.code());
            assert_eq!(code, Some(ErrorCode::ValidationError), "{count} policies of {bytes} bytes");
        }
    }
}
