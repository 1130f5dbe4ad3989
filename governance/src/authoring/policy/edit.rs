//! Editing the settings that all versions of a policy share.

use contract::policy::{Policy, PolicyPatch};
use entity::policy::Model;

use super::{active_size, lock};
use crate::{
    access::permission,
    authoring::{group, settings},
    base::{prelude::*, tenancy::ChangeScope},
    notify::governance_change::{self, Report},
};

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
    row.updated_at = Set(entity::column::to_column(cx.now));
    let policy = row.update(tx.connection()).await?;
    // No evaluation contains the description.
    if is_active && changed.iter().any(|member| *member != "description") {
        tx.bump_activation_counter(scope).await?;
        active_size::check(&tx, None).await?;
    }
    tx.commit(cx, event).await?;
    Ok(policy.into())
}

fn apply_patch(before: Model, patch: PolicyPatch) -> Model {
    let group = before.policy_group_id.map(Into::into);
    Model {
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
fn changed(before: &Model, after: &Model) -> Vec<&'static str> {
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

fn report(policy: &Model, changed: &[&'static str]) -> Report {
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
fn event(changed: &[&'static str], after: &Model) -> Event {
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
