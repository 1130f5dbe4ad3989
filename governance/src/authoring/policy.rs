//! Policies: the settings that all versions of a policy share.

mod active_size;
pub mod codification;
mod diff;
pub(crate) mod lifecycle;
mod list;
mod locks;
pub mod rule_input;
pub(crate) mod stored_codification;
pub(crate) mod stored_rules;
pub mod version;

use contract::policy::{Policy, PolicyCreated, PolicyPatch, ReasonBody};
use entity::{policy as table, policy_version};

use crate::{
    access::{auth::lock_authority, permission},
    authoring::{group, policy::rule_input::NewPolicy, settings},
    base::{
        error::{duplicate_code, invalid_transition},
        prelude::*,
        tenancy::ChangeScope,
    },
    notify::governance_change::{self, Report},
};

pub(crate) use self::locks::lock;
pub use self::{
    diff::rule_digest,
    list::{list, of_group, window},
};

/// Selects a version of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionSelector {
    Active,
    /// The open draft or submitted version.
    Draft,
    Number(u32),
}

/// Creates a policy, and its first version if rules or clauses are present.
///
/// # Errors
/// `DUPLICATE_CODE`; `VALIDATION_ERROR` for a group that does not exist; `CODIFICATION_REFUSED`.
pub async fn create(cx: &Cx, new: NewPolicy) -> Result<PolicyCreated> {
    let tenant = cx.tenant(permission::WRITE_POLICIES)?;
    let NewPolicy { mut draft, rules } = new;
    let block = draft.codification.take();
    // Clauses without rules also create a first version, because none of the clauses has to map to a
    // rule.
    let rules = rules.or_else(|| block.as_ref().map(|_| Vec::new().into()));
    let rules = match rules {
        Some(rules) => Some(codification::codify_rules(cx, rules, block).await?),
        None => None,
    };
    let id: PolicyId = cx.governance.entropy().id();
    let mut tx = tenant.begin().await?;
    if let Some(group) = draft.policy_group_id {
        group::lock_shared(&tx, group).await?;
    }
    let sequence = tx.next_sequence().await?;
    let code = draft.code;
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        sequence: Set(sequence),
        code_key: Set(group::code_key(&code)),
        code: Set(code.clone()),
        name: Set(draft.name),
        description: Set(draft.description),
        decision_types: Set(draft.decision_types.unwrap_or_default()),
        policy_group_id: Set(draft.policy_group_id.map(Into::into)),
        shadow_mode: Set(draft.shadow_mode.unwrap_or(false)),
        inheritable: Set(draft.inheritable.unwrap_or(false)),
        regulatory_refs: Set(draft.regulatory_refs.unwrap_or_default()),
        active_version: Set(None),
        draft_version: Set(None),
        latest_version: Set(0),
        was_ratified: Set(false),
        created_at: Set(to_column(cx.now)),
        created_by: Set(cx.caller.principal()),
        updated_at: Set(to_column(cx.now)),
        ..Default::default()
    };
    let mut policy = row.insert(tx.connection()).await.map_err(|error| code_taken(error, &code))?;
    let mut version = None;
    if let Some(rules) = rules {
        let new = rule_input::NewVersion {
            rules,
            change_reason: draft.change_reason,
            based_on_version: None,
            codification: None,
        };
        let created = version::open_draft(&tx, cx, policy, new, None).await?;
        policy = created.policy;
        version = Some(version::to_wire_with_lineage(&tx, created.version).await?);
    }
    let event = Event::new("policy.create", "policy", id).with("draft", version.is_some());
    tx.commit(cx, event).await?;
    Ok(PolicyCreated { policy: policy.into(), version })
}

fn code_taken(error: DbErr, code: &str) -> Error {
    map_violation(error, &["policies_unique_code"], || duplicate_code(ResourceKind::Policy, code))
}

/// Returns one policy, optionally with one of its versions.
///
/// # Errors
/// `NOT_FOUND` for the policy, or for a version that does not exist.
pub async fn read(cx: &Cx, id: PolicyId, version: Option<VersionSelector>) -> Result<Policy> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = tx
        .find_by_id::<table::Entity>(id)
        .one(tx.connection())
        .await?
        .or_not_found(ResourceKind::Policy)?;
    let number = match version {
        None => None,
        Some(VersionSelector::Active) => Some(row.active_version),
        Some(VersionSelector::Draft) => Some(row.draft_version),
        Some(VersionSelector::Number(number)) => Some(i32::try_from(number).ok()),
    };
    let mut policy = Policy::from(row);
    if let Some(number) = number {
        let number = number.or_not_found(ResourceKind::Version)?;
        let row = tx
            .find::<policy_version::Entity>()
            .filter(policy_version::Column::PolicyId.eq(id.0))
            .filter(policy_version::Column::Version.eq(number))
            .one(tx.connection())
            .await?
            .or_not_found(ResourceKind::Version)?;
        policy.version = Some(Box::new(version::to_wire_with_lineage(&tx, row).await?));
    }
    tx.finish_read().await?;
    Ok(policy)
}

/// Deactivates a policy, so that no version of it is active, and creates an alert. `read` is the active
/// version that the caller has read.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key while `human_changes_only` is on; `NOT_FOUND`; `INVALID_TRANSITION` with
/// `POLICY_NOT_ACTIVE`, or with `ACTIVE_VERSION_CHANGED` when a version other than `read` is active.
pub async fn deactivate(
    cx: &Cx,
    id: PolicyId,
    body: ReasonBody,
    read: Option<u32>,
) -> Result<Policy> {
    let mut tx = cx.tenant(permission::DEACTIVATE)?.begin().await?;
    lock_authority(&tx, cx, permission::DEACTIVATE).await?;
    let policy = lock(&tx, id).await?;
    settings::check_human_changes_only(&tx, cx).await?;
    let Some(active) = policy.active_version else {
        return Err(invalid_transition("POLICY_NOT_ACTIVE", "inactive", "deactivate").into());
    };
    if read.is_some_and(|read| read != unsigned(active)) {
        return Err(invalid_transition("ACTIVE_VERSION_CHANGED", "active", "deactivate").into());
    }
    let report = deactivation(&policy, unsigned(active));
    governance_change::raise(&tx, cx, Severity::High, report).await?;
    version::deactivate_version(&tx, id, active).await?;
    let scope = ChangeScope::for_policy(policy.inheritable);
    let mut row = policy.into_active_model();
    row.active_version = Set(None);
    row.updated_at = Set(to_column(cx.now));
    let policy = row.update(tx.connection()).await?;
    tx.bump_activation_counter(scope).await?;
    let event = Event::new("policy.deactivate", "policy", id)
        .with("version", unsigned(active))
        .with("reason_digest", receipt::digest::Digest::compute(body.reason.as_bytes()));
    tx.commit(cx, event).await?;
    Ok(policy.into())
}

fn deactivation(policy: &table::Model, active: u32) -> Report {
    let code = policy.code.as_str();
    Report {
        message: format!("Policy {code} was deactivated: version {active} is no longer active."),
        action: "policy.deactivate",
        facts: Object::from([
            ("policy_id", Value::from(policy.id.to_string())),
            ("policy_code", code.into()),
            ("version", active.into()),
        ]),
    }
}

/// Checks that a policy exists.
pub(crate) async fn exists(tx: &TenantTx, id: PolicyId) -> Result<()> {
    let row = tx.find_by_id::<table::Entity>(id);
    let row = row.one(tx.connection()).await?;
    Ok(row.map(drop).or_not_found(ResourceKind::Policy)?)
}

/// Deletes a policy with its versions. Its code can be used again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `POLICY_HAS_HISTORY` once a version was ratified.
pub async fn delete(cx: &Cx, id: PolicyId) -> Result<()> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    let policy = lock(&tx, id).await?;
    if policy.was_ratified {
        let from = if policy.active_version.is_some() { "active" } else { "inactive" };
        return Err(invalid_transition("POLICY_HAS_HISTORY", from, "delete").into());
    }
    // Locked before the deletion, because a concurrent create with this code has locked the head row
    // and waits.
    tx.lock_head().await?;
    let rows =
        tx.delete::<policy_version::Entity>().filter(policy_version::Column::PolicyId.eq(id.0));
    rows.exec(tx.connection()).await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    let event = Event::new("policy.delete", "policy", id)
        .with("latest_version", unsigned(policy.latest_version));
    tx.commit(cx, event).await
}

/// The members that change verdicts. On an active policy, only a ratifier may change them, or a key
/// unless the setting `human_changes_only` is on. The change creates an alert.
const VERDICT_MEMBERS: [&str; 4] =
    ["decision_types", "shadow_mode", "inheritable", "policy_group_id"];

/// Changes a policy's settings without changing a version.
///
/// - A patch without changes writes nothing.
/// - Members of `read` must equal the current values of the policy.
///
/// # Errors
/// - `NOT_FOUND`; `VALIDATION_ERROR` for a group that does not exist; `CONFLICT` when the policy
///   differs from `read`.
/// - `CONFLICT` if more rules than an evaluation may load would govern a decision type.
/// - For members that change the verdicts of an active policy: `FORBIDDEN` for a user who is not a
///   ratifier, and `HUMAN_REQUIRED` for a key while `human_changes_only` is on.
pub async fn edit(
    cx: &Cx,
    id: PolicyId,
    patch: PolicyPatch,
    read: Option<PolicyPatch>,
) -> Result<Policy> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    let before = lock(&tx, id).await?;
    if read.is_some_and(|read| apply_patch(before.clone(), read) != before) {
        return Err(conflict("the policy was changed concurrently; reload it").into());
    }
    let after = apply_patch(before.clone(), patch);
    let changed = changed(&before, &after);
    if changed.is_empty() {
        tx.finish_read().await?;
        return Ok(before.into());
    }
    let is_active = before.active_version.is_some();
    let changes_verdicts =
        is_active && changed.iter().any(|member| VERDICT_MEMBERS.contains(member));
    if changes_verdicts {
        cx.tenant(permission::CHANGE_VERDICTS)?;
    }
    if changed.contains(&"policy_group_id")
        && let Some(group) = after.policy_group_id
    {
        group::lock_shared(&tx, group.into()).await?;
    }
    if changes_verdicts {
        settings::check_human_changes_only(&tx, cx).await?;
        let report = report(&before, &changed);
        governance_change::raise(&tx, cx, Severity::High, report).await?;
    }
    let event = event(&changed, &after);
    let scope = ChangeScope::for_policy(before.inheritable || after.inheritable);
    let mut row = before.into_active_model();
    row.name = Set(after.name);
    row.description = Set(after.description);
    row.decision_types = Set(after.decision_types);
    row.policy_group_id = Set(after.policy_group_id);
    row.shadow_mode = Set(after.shadow_mode);
    row.inheritable = Set(after.inheritable);
    row.regulatory_refs = Set(after.regulatory_refs);
    row.updated_at = Set(to_column(cx.now));
    let policy = row.update(tx.connection()).await?;
    // No evaluation contains the description.
    if is_active && changed.iter().any(|member| *member != "description") {
        tx.bump_activation_counter(scope).await?;
        active_size::check(&tx, None).await?;
    }
    tx.commit(cx, event).await?;
    Ok(policy.into())
}

fn apply_patch(before: table::Model, patch: PolicyPatch) -> table::Model {
    let group = before.policy_group_id.map(Into::into);
    table::Model {
        name: patch.name.unwrap_or(before.name),
        description: patch.description.apply(before.description),
        decision_types: patch.decision_types.unwrap_or(before.decision_types),
        policy_group_id: patch.policy_group_id.apply(group).map(Into::into),
        shadow_mode: patch.shadow_mode.unwrap_or(before.shadow_mode),
        inheritable: patch.inheritable.unwrap_or(before.inheritable),
        regulatory_refs: patch.regulatory_refs.unwrap_or(before.regulatory_refs),
        ..before
    }
}

/// Returns the names of the members that differ, as in the API.
fn changed(before: &table::Model, after: &table::Model) -> Vec<&'static str> {
    let members = [
        ("name", before.name != after.name),
        ("description", before.description != after.description),
        ("decision_types", before.decision_types != after.decision_types),
        ("policy_group_id", before.policy_group_id != after.policy_group_id),
        ("shadow_mode", before.shadow_mode != after.shadow_mode),
        ("inheritable", before.inheritable != after.inheritable),
        ("regulatory_refs", before.regulatory_refs != after.regulatory_refs),
    ];
    members.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

fn report(policy: &table::Model, changed: &[&'static str]) -> Report {
    let code = policy.code.as_str();
    let changed: Vec<_> =
        changed.iter().copied().filter(|member| VERDICT_MEMBERS.contains(member)).collect();
    Report {
        message: format!("Active policy {code} was changed: {}.", changed.join(", ")),
        action: "policy.edit",
        facts: Object::from([
            ("policy_id", Value::from(policy.id.to_string())),
            ("policy_code", code.into()),
            ("changed", governance_change::names(&changed)),
        ]),
    }
}

/// Creates the audit event with the names of the changed members, and with the new values except free
/// text.
fn event(changed: &[&'static str], after: &table::Model) -> Event {
    let names: Vec<Value> = changed.iter().map(|name| Value::from(*name)).collect();
    let mut event = Event::new("policy.edit", "policy", after.id).with("changed", names);
    if changed.contains(&"shadow_mode") {
        event = event.with("shadow_mode", after.shadow_mode);
    }
    if changed.contains(&"inheritable") {
        event = event.with("inheritable", after.inheritable);
    }
    if changed.contains(&"policy_group_id")
        && let Some(group) = after.policy_group_id
    {
        event = event.with("policy_group_id", group.to_string());
    }
    event
}
