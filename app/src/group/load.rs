//! Data of the policy group pages.

use contract::{
    group::PolicyGroup,
    id::{PolicyGroupId, PolicyId, TenantId},
    json::{Object, Value},
    pagination::LIMIT_MAX,
    policy::PolicyFilter,
    read,
};
use governance::{
    Cx, PageRequest,
    access::permission,
    authoring::{group, policy},
};

use super::view::{GroupForm, GroupPage, GroupRow, GroupsPage, MoveForm};
use crate::{
    problem::Problem,
    request::{into_problem, page_at, take_input},
    text::url,
};

/// Returns one page of the list, newest first.
pub(crate) async fn list(cx: &Cx, tenant: TenantId, cursor: String) -> Result<GroupsPage, Problem> {
    let rows = into_problem(group::list(cx, &page_at(cursor)).await)?;
    let ids: Vec<_> = rows.items.iter().map(|group| group.id).collect();
    let sizes = into_problem(group::sizes(cx, ids).await)?;
    let row = |group: PolicyGroup| {
        let policies = sizes.get(&group.id).copied().unwrap_or_default();
        GroupRow { policies, ..group.into() }
    };
    Ok(GroupsPage {
        tenant,
        rows: rows.map(row),
        may_write: may_write(cx),
        refused: take_input(&url::groups(tenant)).await,
    })
}

pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: PolicyGroupId,
    cursor: String,
) -> Result<GroupPage, Problem> {
    let row = into_problem(group::read(cx, id).await)?;
    let policies = into_problem(policy::of_group(cx, id, &page_at(cursor)).await)?;
    let may_write = may_write(cx);
    let others = if may_write { others(cx, id).await? } else { Vec::new() };
    Ok(GroupPage {
        tenant,
        row: row.into(),
        policies: policies.map(Into::into),
        others,
        may_write,
        refused: take_input(&url::group(tenant, id)).await,
    })
}

fn may_write(cx: &Cx) -> bool {
    cx.tenant(permission::WRITE_POLICIES).is_ok()
}

/// Returns the newest policies outside the group, as suggestions. The field accepts the code of any policy.
async fn others(cx: &Cx, id: PolicyGroupId) -> Result<Vec<(String, String)>, Problem> {
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let policies =
        into_problem(policy::list(cx, PolicyFilter::default(), &newest).await)?.items.into_iter();
    let others = policies.filter(|policy| policy.policy_group_id != Some(id));
    Ok(others.map(|policy| (policy.code, policy.name)).collect())
}

pub(crate) async fn create(cx: &Cx, form: &GroupForm) -> Result<PolicyGroupId, Problem> {
    into_problem(group::create(cx, form.draft()?).await).map(|group| group.id)
}

pub(crate) async fn edit(cx: &Cx, id: PolicyGroupId, form: &GroupForm) -> Result<(), Problem> {
    into_problem(group::edit(cx, id, form.patch()?, Some(form.read()?)).await).map(drop)
}

/// Deletes a group, unless it has changed since the user read it.
pub(crate) async fn delete(cx: &Cx, id: PolicyGroupId, seen: String) -> Result<(), Problem> {
    let form = GroupForm { seen, ..GroupForm::default() };
    into_problem(group::delete(cx, id, Some(form.read()?)).await)
}

/// Removes the policy of a form from the group, or adds the policy with the entered code.
pub(crate) async fn move_policy(cx: &Cx, form: &MoveForm) -> Result<(), Problem> {
    let (policy, group) = match form.policy {
        Some(policy) => (policy, Value::Null),
        None => (find_by_code(cx, form.code.trim()).await?, form.group.to_string().into()),
    };
    let in_group = |group: Value| {
        read::body(&Object::from([("policy_group_id", group)]).into())
            .map_err(|errors| Problem::of_fields(&errors, &[]))
    };
    // The form shows the policy to remove as a member of the group.
    let seen = form.policy.map(|_| in_group(form.group.to_string().into())).transpose()?;
    into_problem(policy::edit(cx, policy, in_group(group)?, seen).await).map(drop)
}

/// Returns the policy with a code. Codes are unique regardless of letter case.
async fn find_by_code(cx: &Cx, code: &str) -> Result<PolicyId, Problem> {
    let mut page = PageRequest { limit: LIMIT_MAX, cursor: None };
    loop {
        let filter = PolicyFilter { q: Some(code.to_owned()), ..PolicyFilter::default() };
        let policies = into_problem(policy::list(cx, filter, &page).await)?;
        let exact = policies.items.iter().find(|policy| policy.code.eq_ignore_ascii_case(code));
        if let Some(policy) = exact {
            return Ok(policy.id);
        }
        page.cursor = policies.next_cursor;
        if page.cursor.is_none() {
            return Err(MoveForm::unknown_code());
        }
    }
}
