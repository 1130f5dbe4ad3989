//! Policy groups: named sets of policies that requests can select.

use contract::group::{GroupDraft, GroupPatch, PolicyGroup};
use entity::{policy as policies, policy_group as table};
use sea_orm::sea_query::LockType;

use crate::{
    access::permission,
    authoring::settings,
    base::{error::duplicate_code, pagination::newest, prelude::*, tenancy::ChangeScope},
    notify::governance_change::{self, Report},
};

/// Creates a group without policies.
///
/// # Errors
/// `DUPLICATE_CODE`.
pub async fn create(cx: &Cx, draft: GroupDraft) -> Result<PolicyGroup> {
    let tenant = cx.tenant(permission::WRITE_POLICIES)?;
    let id: PolicyGroupId = cx.governance.entropy().id();
    let mut tx = tenant.begin().await?;
    let sequence = tx.next_sequence().await?;
    let code = draft.code;
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        sequence: Set(sequence),
        code_key: Set(code_key(&code)),
        code: Set(code.clone()),
        name: Set(draft.name),
        description: Set(draft.description),
        created_at: Set(to_column(cx.now)),
        updated_at: Set(to_column(cx.now)),
    };
    let group = row.insert(tx.connection()).await.map_err(|error| code_taken(error, &code))?;
    tx.commit(cx, Event::new("policy_group.create", "policy_group", id)).await?;
    Ok(group.into())
}

/// Returns the tenant's groups, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<PolicyGroup>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    Ok(newest::<table::Entity>(&tenant, "policy_groups", page).await?.map(PolicyGroup::from))
}

// SQL: counts by group.
const SELECT_SIZES: &str = "SELECT policy_group_id, count(*) FROM policies \
     WHERE tenant_id = $1 AND policy_group_id = ANY ($2) GROUP BY 1";

/// Returns the numbers of policies of groups. Groups without policies are omitted.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`.
pub async fn sizes(
    cx: &Cx,
    groups: impl IntoIterator<Item = PolicyGroupId>,
) -> Result<BTreeMap<PolicyGroupId, i64>> {
    let groups: Vec<_> = groups.into_iter().map(|group| group.0).collect();
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let sizes = tenant.tuples(SELECT_SIZES, [groups.into()]).await?;
    Ok(sizes.into_iter().map(|(group, size)| (PolicyGroupId(group), size)).collect())
}

/// Returns one group.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: PolicyGroupId) -> Result<PolicyGroup> {
    let row =
        cx.tenant(permission::READ_POLICIES)?.get::<table::Entity>(id, ResourceKind::Group).await?;
    Ok(row.into())
}

/// Changes a group.
///
/// - A patch without changes writes nothing.
/// - A new code invalidates cached snapshots, because snapshots contain it.
/// - A change of a group with active policies creates an alert.
/// - Members of `read` must equal the current values of the group.
///
/// # Errors
/// `NOT_FOUND`; `DUPLICATE_CODE`; `CONFLICT` when the group differs from `read`; `HUMAN_REQUIRED` for a
/// key while `human_changes_only` is on and the group has active policies.
pub async fn edit(
    cx: &Cx,
    id: PolicyGroupId,
    patch: GroupPatch,
    read: Option<GroupPatch>,
) -> Result<PolicyGroup> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    let before = lock(&tx, id).await?;
    check_unchanged(&before, read)?;
    let after = apply_patch(before.clone(), patch);
    if after == before {
        tx.finish_read().await?;
        return Ok(before.into());
    }
    let active_members = members(&tx, id).filter(policies::Column::ActiveVersion.is_not_null());
    if is_any(&tx, active_members).await? {
        settings::check_human_changes_only(&tx, cx).await?;
        let report = report(&before, &after);
        governance_change::raise(&tx, cx, Severity::High, report).await?;
    }
    let is_recoded = after.code != before.code;
    let code = after.code.clone();
    if is_recoded {
        // Done first, because a concurrent create with this code has locked the head row and waits.
        tx.bump_activation_counter(ChangeScope::Descendants).await?;
    }
    let mut row = before.into_active_model();
    row.code = Set(after.code);
    row.code_key = Set(after.code_key);
    row.name = Set(after.name);
    row.description = Set(after.description);
    row.updated_at = Set(to_column(cx.now));
    let group = row.update(tx.connection()).await.map_err(|error| code_taken(error, &code))?;
    let event = Event::new("policy_group.edit", "policy_group", id).with("recoded", is_recoded);
    tx.commit(cx, event).await?;
    Ok(group.into())
}

fn apply_patch(before: table::Model, patch: GroupPatch) -> table::Model {
    let code = patch.code.unwrap_or(before.code);
    table::Model {
        code_key: code_key(&code),
        code,
        name: patch.name.unwrap_or(before.name),
        description: patch.description.apply(before.description),
        ..before
    }
}

/// Checks that the group equals the values that the caller has read.
fn check_unchanged(current: &table::Model, read: Option<GroupPatch>) -> Result<(), Refusal> {
    if read.is_some_and(|read| apply_patch(current.clone(), read) != *current) {
        return Err(conflict("the policy group was changed concurrently; reload it"));
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

fn members(tx: &TenantTx, id: PolicyGroupId) -> Select<policies::Entity> {
    tx.find::<policies::Entity>().filter(policies::Column::PolicyGroupId.eq(id.0))
}

async fn is_any(tx: &TenantTx, policies: Select<policies::Entity>) -> Result<bool> {
    let id = policies.select_only().column(policies::Column::Id).into_tuple::<Uuid>();
    Ok(id.one(tx.connection()).await?.is_some())
}

/// Deletes a group without policies. Members of `read` must equal the current values of the group.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` while the group has policies, or when it differs from `read`.
pub async fn delete(cx: &Cx, id: PolicyGroupId, read: Option<GroupPatch>) -> Result<()> {
    let mut tx = cx.tenant(permission::WRITE_POLICIES)?.begin().await?;
    check_unchanged(&lock(&tx, id).await?, read)?;
    if is_any(&tx, members(&tx, id)).await? {
        return Err(conflict("the group contains policies; remove them from it first").into());
    }
    // Locked before the deletion, because a concurrent create with this code has locked the head row
    // and waits.
    tx.lock_head().await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    tx.commit(cx, Event::new("policy_group.delete", "policy_group", id)).await
}

/// Locks the group of a policy, so that it exists until the policy is written.
///
/// # Errors
/// `VALIDATION_ERROR` at `/policy_group_id` when the group does not exist.
pub(crate) async fn lock_shared(tx: &TenantTx, id: PolicyGroupId) -> Result<()> {
    let group =
        tx.find_by_id::<table::Entity>(id).lock(LockType::KeyShare).one(tx.connection()).await?;
    group.map(drop).ok_or_else(|| {
        let message = "there is no policy group with this id";
        invalid_field("/policy_group_id", "unknown", message).into()
    })
}

/// Returns whether the tenant has a group with this code.
pub(crate) async fn exists(tenant: &Tenant<'_>, code: &str) -> Result<bool> {
    let tx = tenant.begin().await?;
    let exists = is_known_within(&tx, code).await?;
    tx.finish_read().await?;
    Ok(exists)
}

/// Returns whether the transaction's tenant has a group with this code.
pub(crate) async fn is_known_within(tx: &TenantTx, code: &str) -> Result<bool> {
    let group = tx.find::<table::Entity>().filter(table::Column::CodeKey.eq(code_key(code)));
    Ok(group.one(tx.connection()).await?.is_some())
}

/// Returns the form of a code that must be unique, and that codes are sorted by.
pub(crate) fn code_key(code: &str) -> String {
    code.to_ascii_lowercase()
}

async fn lock(tx: &TenantTx, id: PolicyGroupId) -> Result<table::Model> {
    tx.lock::<table::Entity>(id, ResourceKind::Group).await
}

fn code_taken(error: DbErr, code: &str) -> Error {
    map_violation(error, &["policy_groups_unique_code"], || {
        duplicate_code(ResourceKind::Group, code)
    })
}
