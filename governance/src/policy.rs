//! Policies: what stays the same from version to version.

pub mod authored;
pub mod codification;
mod delete;
mod diff;
mod edit;
pub(crate) mod lifecycle;
mod list;
pub mod version;

use contract::{
    id::PolicyId,
    json::{Object, Value},
    policy::{Policy, PolicyCreated, WithReason},
    rule::Severity,
};
use entity::{policy as table, policy_version};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DbErr, IntoActiveModel, QueryFilter,
    QuerySelect,
};

use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, constraint, duplicate_code, invalid_transition, not_found},
    governance_change::{self, Report},
    group, permission,
    policy::authored::NewPolicy,
    tenancy::{Reach, TenantTx},
};

pub(crate) use self::list::page_of;
pub use self::{delete::delete, diff::rule_digest, edit::edit, list::list};

/// Which version of a policy is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionSelector {
    /// The one that decides.
    Active,
    /// The open draft or submitted one.
    Draft,
    /// The one with this number.
    Number(u32),
}

/// Makes a policy, and its first version when rules are given.
///
/// # Errors
/// `DUPLICATE_CODE`; `VALIDATION_ERROR` for a group that is not there; `CODIFICATION_REFUSED`.
pub async fn create(cx: &Cx, new: NewPolicy) -> Result<PolicyCreated> {
    let tenant = cx.tenant(permission::WRITE_POLICIES)?;
    let NewPolicy { mut draft, rules } = new;
    let block = draft.codification.take();
    // Clauses without rules make a first version too: all of them may be no rules.
    let rules = rules.or_else(|| block.as_ref().map(|_| Vec::new().into()));
    let rules = match rules {
        Some(rules) => Some(codification::codified(cx, rules, block).await?),
        None => None,
    };
    let id: PolicyId = cx.governance.chance().id();
    let mut tx = tenant.begin().await?;
    if let Some(group) = draft.policy_group_id {
        group::hold(&tx, group).await?;
    }
    let sequence = tx.next_sequence().await?;
    let code = draft.code;
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        sequence: Set(sequence),
        code_key: Set(code.to_ascii_lowercase()),
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
        ratified_ever: Set(false),
        created_at: Set(entity::column::at(cx.now)),
        created_by: Set(cx.caller.principal()),
        updated_at: Set(entity::column::at(cx.now)),
    };
    let mut policy = row.insert(tx.connection()).await.map_err(|error| code_taken(error, &code))?;
    let mut version = None;
    if let Some(rules) = rules {
        let new = authored::NewVersion {
            rules,
            change_reason: draft.change_reason,
            based_on_version: None,
            codification: None,
        };
        let made = version::open(&tx, cx, policy, new, None).await?;
        policy = made.policy;
        version = Some(version::whole(&tx, made.version).await?);
    }
    let event = Event::new("policy.create", "policy", id).with("draft", version.is_some());
    tx.commit(cx, event).await?;
    Ok(PolicyCreated { policy: policy.into(), version })
}

fn code_taken(error: DbErr, code: &str) -> Error {
    match constraint(&error) {
        Some("policies_unique_code") => duplicate_code(Noun::Policy, code).into(),
        _ => error.into(),
    }
}

/// One policy, with one of its versions when asked for.
///
/// # Errors
/// `NOT_FOUND` for the policy, or for a version that does not exist.
pub async fn read(cx: &Cx, id: PolicyId, version: Option<VersionSelector>) -> Result<Policy> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = tx
        .find::<table::Entity>()
        .filter(table::Column::Id.eq(id.0))
        .one(tx.connection())
        .await?
        .ok_or_else(|| not_found(Noun::Policy))?;
    let number = match version {
        None => None,
        Some(VersionSelector::Active) => Some(row.active_version),
        Some(VersionSelector::Draft) => Some(row.draft_version),
        Some(VersionSelector::Number(number)) => Some(i32::try_from(number).ok()),
    };
    let mut policy = Policy::from(row);
    if let Some(number) = number {
        let number = number.ok_or_else(|| not_found(Noun::Version))?;
        let row = tx
            .find::<policy_version::Entity>()
            .filter(policy_version::Column::PolicyId.eq(id.0))
            .filter(policy_version::Column::Version.eq(number))
            .one(tx.connection())
            .await?
            .ok_or_else(|| not_found(Noun::Version))?;
        policy.version = Some(Box::new(version::whole(&tx, row).await?));
    }
    tx.end().await?;
    Ok(policy)
}

/// Deactivates a policy: no version of it is active any longer. Raises an alert. `read` is the version
/// that was active when the caller read the policy.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key while `human_changes_only` is on; `NOT_FOUND`; `INVALID_TRANSITION` with
/// `POLICY_NOT_ACTIVE`, or with `ACTIVE_VERSION_CHANGED` when another version than `read` is active.
pub async fn deactivate(
    cx: &Cx,
    id: PolicyId,
    with: WithReason,
    read: Option<u32>,
) -> Result<Policy> {
    let mut tx = cx.tenant(permission::DEACTIVATE)?.begin().await?;
    let policy = lock(&tx, id).await?;
    governance_change::admit(&tx, cx).await?;
    let Some(active) = policy.active_version else {
        return Err(invalid_transition("POLICY_NOT_ACTIVE", "inactive", "deactivate").into());
    };
    if read.is_some_and(|read| read != entity::column::number(active)) {
        return Err(invalid_transition("ACTIVE_VERSION_CHANGED", "active", "deactivate").into());
    }
    let report = deactivation(&policy, entity::column::number(active));
    governance_change::raise(&tx, cx, Severity::High, report).await?;
    version::stop_deciding(&tx, id, active).await?;
    let reach = Reach::of(policy.inheritable);
    let mut row = policy.into_active_model();
    row.active_version = Set(None);
    row.updated_at = Set(entity::column::at(cx.now));
    let policy = row.update(tx.connection()).await?;
    tx.activations_changed(reach).await?;
    let event = Event::new("policy.deactivate", "policy", id)
        .with("version", entity::column::number(active))
        .with("reason_digest", receipt::digest::Digest::of(with.reason.as_bytes()));
    tx.commit(cx, event).await?;
    Ok(policy.into())
}

fn deactivation(policy: &table::Model, active: u32) -> Report {
    let code = policy.code.as_str();
    Report {
        message: format!("Policy {code} was deactivated: version {active} is not active any more."),
        action: "policy.deactivate",
        facts: Object::from([
            ("policy_id", Value::from(policy.id.to_string())),
            ("policy_code", code.into()),
            ("version", active.into()),
        ]),
    }
}

/// Refuses when there is no such policy.
pub(crate) async fn exists(tx: &TenantTx, id: PolicyId) -> Result<()> {
    let row = tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0));
    let row = row.one(tx.connection()).await?;
    Ok(row.map(drop).ok_or_else(|| not_found(Noun::Policy))?)
}

/// The policy's row, locked: whoever changes a version holds it.
pub(crate) async fn lock(tx: &TenantTx, id: PolicyId) -> Result<table::Model> {
    let row = tx
        .find::<table::Entity>()
        .filter(table::Column::Id.eq(id.0))
        .lock_exclusive()
        .one(tx.connection())
        .await?;
    Ok(row.ok_or_else(|| not_found(Noun::Policy))?)
}
