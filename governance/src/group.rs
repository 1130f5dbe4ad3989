//! Policy groups: policies kept together, for people and for requests that narrow to them.

use contract::{
    group::{GroupDraft, GroupPatch, PolicyGroup},
    id::PolicyGroupId,
    json::{Object, Value},
    page::Page,
    policy::{Policy, PolicyFilter},
    rule::Severity,
};
use entity::{policy as policies, policy_group as table};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DbErr, IntoActiveModel, QueryFilter,
    QuerySelect, Select, sea_query::LockType,
};
use uuid::Uuid;

use crate::{
    audit::Event,
    cx::Cx,
    error::{
        Error, Noun, Refusal, Result, conflict, constraint, duplicate_code, invalid_field,
        not_found,
    },
    governance_change::{self, Report},
    page::{PageRequest, newest},
    permission,
    policy::page_of,
    tenancy::{Reach, Tenant, TenantTx},
};

/// Makes a group without policies.
///
/// # Errors
/// `DUPLICATE_CODE`.
pub async fn create(cx: &Cx, draft: GroupDraft) -> Result<PolicyGroup> {
    let tenant = cx.tenant(permission::WRITE_POLICIES)?;
    let id: PolicyGroupId = cx.governance.chance().id();
    let mut tx = tenant.begin().await?;
    let sequence = tx.next_sequence().await?;
    let code = draft.code;
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        sequence: Set(sequence),
        code_key: Set(key_of(&code)),
        code: Set(code.clone()),
        name: Set(draft.name),
        description: Set(draft.description),
        created_at: Set(entity::column::at(cx.now)),
        updated_at: Set(entity::column::at(cx.now)),
    };
    let group = row.insert(tx.connection()).await.map_err(|error| code_taken(error, &code))?;
    tx.commit(cx, Event::new("policy_group.create", "policy_group", id)).await?;
    Ok(group.into())
}

/// The tenant's groups, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<PolicyGroup>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    Ok(newest::<table::Entity>(&tenant, "policy_groups", page).await?.map(PolicyGroup::from))
}

/// One group.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: PolicyGroupId) -> Result<PolicyGroup> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    tx.end().await?;
    Ok(row.ok_or_else(|| not_found(Noun::Group))?.into())
}

/// The policies of a group, newest first.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn policies(cx: &Cx, id: PolicyGroupId, page: &PageRequest) -> Result<Page<Policy>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let tx = tenant.begin().await?;
    find(&tx, id).one(tx.connection()).await?.ok_or_else(|| not_found(Noun::Group))?;
    let filter = PolicyFilter { policy_group_id: Some(id), ..PolicyFilter::default() };
    let found = page_of(&tenant, &tx, "policies of a group", filter, page).await?;
    tx.end().await?;
    Ok(found)
}

/// Changes a group. Snapshots show its code, so a new one puts them out of date. A patch that asks
/// for what is so already writes nothing. A change of a group with active policies raises an alert.
/// `read` is what the caller has read: members that it names must be so.
///
/// # Errors
/// `NOT_FOUND`; `DUPLICATE_CODE`; `CONFLICT` when the group is not as it was read; `HUMAN_REQUIRED` for
/// a key while `human_changes_only` is on and the group has active policies.
pub async fn edit(
    cx: &Cx,
    id: PolicyGroupId,
    patch: GroupPatch,
    read: Option<GroupPatch>,
) -> Result<PolicyGroup> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    let before = lock(&tx, id).await?;
    as_read(&before, read)?;
    let after = patched(before.clone(), patch);
    if after == before {
        tx.end().await?;
        return Ok(before.into());
    }
    let active = members(&tx, id).filter(policies::Column::ActiveVersion.is_not_null());
    if is_any(&tx, active).await? {
        governance_change::admit(&tx, cx).await?;
        let report = report(&before, &after);
        governance_change::raise(&tx, cx, Severity::High, report).await?;
    }
    let is_recoded = after.code != before.code;
    let code = after.code.clone();
    if is_recoded {
        // First of all, because whoever makes a group with this code holds the head row and waits.
        tx.activations_changed(Reach::Below).await?;
    }
    let mut row = before.into_active_model();
    row.code = Set(after.code);
    row.code_key = Set(after.code_key);
    row.name = Set(after.name);
    row.description = Set(after.description);
    row.updated_at = Set(entity::column::at(cx.now));
    let group = row.update(tx.connection()).await.map_err(|error| code_taken(error, &code))?;
    let event = Event::new("policy_group.edit", "policy_group", id).with("recoded", is_recoded);
    tx.commit(cx, event).await?;
    Ok(group.into())
}

fn patched(before: table::Model, patch: GroupPatch) -> table::Model {
    let code = patch.code.unwrap_or(before.code);
    table::Model {
        code_key: key_of(&code),
        code,
        name: patch.name.unwrap_or(before.name),
        description: patch.description.apply(before.description),
        ..before
    }
}

/// Refuses a group that is not as the caller has read it.
fn as_read(now: &table::Model, read: Option<GroupPatch>) -> Result<(), Refusal> {
    if read.is_some_and(|read| patched(now.clone(), read) != *now) {
        return Err(conflict("the policy group was changed meanwhile; read it again"));
    }
    Ok(())
}

fn report(before: &table::Model, after: &table::Model) -> Report {
    let code = before.code.as_str();
    let members = [
        ("code", before.code != after.code),
        ("name", before.name != after.name),
        ("description", before.description != after.description),
    ];
    let changed: Vec<_> =
        members.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect();
    Report {
        message: format!(
            "Policy group {code}, which has active policies, was changed: {}.",
            changed.join(", ")
        ),
        action: "policy_group.edit",
        facts: Object::from([
            ("policy_group_id", Value::from(before.id.to_string())),
            ("policy_group_code", code.into()),
            ("changed", governance_change::names(&changed)),
        ]),
    }
}

/// The policies of a group.
fn members(tx: &TenantTx, id: PolicyGroupId) -> Select<policies::Entity> {
    tx.find::<policies::Entity>().filter(policies::Column::PolicyGroupId.eq(id.0))
}

async fn is_any(tx: &TenantTx, policies: Select<policies::Entity>) -> Result<bool> {
    let id = policies.select_only().column(policies::Column::Id).into_tuple::<Uuid>();
    Ok(id.one(tx.connection()).await?.is_some())
}

/// Deletes a group that has no policies. `read` is what the caller has read: members that it names must
/// be so.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` while it has policies, or when it is not as it was read.
pub async fn delete(cx: &Cx, id: PolicyGroupId, read: Option<GroupPatch>) -> Result<()> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    as_read(&lock(&tx, id).await?, read)?;
    if is_any(&tx, members(&tx, id)).await? {
        return Err(conflict("the group has policies; take them out of it first").into());
    }
    // Before the row goes, because whoever makes a group with its code holds the head row and waits.
    tx.head().await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    tx.commit(cx, Event::new("policy_group.delete", "policy_group", id)).await
}

/// Makes sure that the group of a policy is there, and stays until the policy is written.
///
/// # Errors
/// `VALIDATION_ERROR` at `/policy_group_id` when it is not.
pub(crate) async fn hold(tx: &TenantTx, id: PolicyGroupId) -> Result<()> {
    let held = find(tx, id).lock(LockType::KeyShare).one(tx.connection()).await?;
    held.map(drop).ok_or_else(|| {
        let message = "there is no policy group with this id";
        invalid_field("/policy_group_id", "unknown", message).into()
    })
}

/// Whether the tenant has a group with this code.
pub(crate) async fn is_known(tenant: &Tenant<'_>, code: &str) -> Result<bool> {
    let tx = tenant.begin().await?;
    let is_known = is_known_within(&tx, code).await?;
    tx.end().await?;
    Ok(is_known)
}

/// The same within a transaction.
pub(crate) async fn is_known_within(tx: &TenantTx, code: &str) -> Result<bool> {
    let group = tx.find::<table::Entity>().filter(table::Column::CodeKey.eq(key_of(code)));
    Ok(group.one(tx.connection()).await?.is_some())
}

/// What is unique of a code.
fn key_of(code: &str) -> String {
    code.to_ascii_lowercase()
}

fn find(tx: &TenantTx, id: PolicyGroupId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}

async fn lock(tx: &TenantTx, id: PolicyGroupId) -> Result<table::Model> {
    let row = find(tx, id).lock_exclusive().one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(Noun::Group))?)
}

fn code_taken(error: DbErr, code: &str) -> Error {
    match constraint(&error) {
        Some("policy_groups_unique_code") => duplicate_code(Noun::Group, code).into(),
        _ => error.into(),
    }
}
