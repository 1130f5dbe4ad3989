//! Changing what stays the same from version to version.

use contract::{
    id::PolicyId,
    json::Value,
    policy::{Policy, PolicyPatch},
};
use entity::policy::Model;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, IntoActiveModel};

use super::lock;
use crate::{audit::Event, cx::Cx, error::Result, group, permission, tenancy::Reach};

/// Members that change verdicts: of an active policy, only a ratifier changes them.
const DECIDING: [&str; 3] = ["decision_types", "shadow_mode", "inheritable"];

/// The only member that no evaluation shows.
const UNSEEN: &str = "description";

/// Changes a policy's own members; no version of it changes. A patch that asks for what is so
/// already writes nothing.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` for a group that is not there; for members that change the
/// verdicts of an active policy `HUMAN_REQUIRED`, or `FORBIDDEN` for who is no ratifier.
pub async fn edit(cx: &Cx, id: PolicyId, patch: PolicyPatch) -> Result<Policy> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    let before = lock(&tx, id).await?;
    let after = patched(before.clone(), patch);
    let changed = changed(&before, &after);
    if changed.is_empty() {
        tx.end().await?;
        return Ok(before.into());
    }
    let is_active = before.active_version.is_some();
    if is_active && changed.iter().any(|member| DECIDING.contains(member)) {
        cx.tenant(permission::CHANGE_VERDICTS)?;
    }
    if changed.contains(&"policy_group_id")
        && let Some(group) = after.policy_group_id
    {
        group::hold(&tx, group.into()).await?;
    }
    let event = event(&changed, &after);
    let reach = Reach::of(before.inheritable || after.inheritable);
    let mut row = before.into_active_model();
    row.name = Set(after.name);
    row.description = Set(after.description);
    row.decision_types = Set(after.decision_types);
    row.policy_group_id = Set(after.policy_group_id);
    row.shadow_mode = Set(after.shadow_mode);
    row.inheritable = Set(after.inheritable);
    row.regulatory_refs = Set(after.regulatory_refs);
    row.updated_at = Set(entity::column::at(cx.now));
    let policy = row.update(tx.connection()).await?;
    if is_active && changed.iter().any(|member| *member != UNSEEN) {
        tx.activations_changed(reach).await?;
    }
    tx.commit(cx, event).await?;
    Ok(policy.into())
}

fn patched(before: Model, patch: PolicyPatch) -> Model {
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

/// The members that differ, by their names on the wire.
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

/// What changed, and the new values of what is no text of a person's.
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
