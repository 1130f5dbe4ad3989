//! What the pages of policy groups are made of.

use contract::{
    id::{PolicyGroupId, PolicyId, TenantId},
    json::{Object, Value},
    page::LIMIT_MAX,
    policy::PolicyFilter,
    read,
};
use governance::{Cx, PageRequest, group, permission, policy};
use serde::Serialize;

use super::{answer, kept, page_at};
use crate::{
    problem::Problem,
    text::url,
    view::group::{GroupForm, GroupPage, GroupRow, GroupsPage, MoveForm},
};

/// One page of the list, newest first.
pub(in crate::api) async fn list(
    cx: &Cx,
    tenant: TenantId,
    cursor: String,
) -> Result<GroupsPage, Problem> {
    let rows = answer(group::list(cx, &page_at(cursor)).await)?;
    let refused = kept(&url::groups(tenant)).await;
    Ok(GroupsPage {
        tenant,
        rows: rows.map(GroupRow::from),
        may_write: may_write(cx),
        refused: refused.map(|kept| {
            let form = serde_json::from_str(&kept.text).unwrap_or_default();
            (kept.problem, form)
        }),
    })
}

/// One group, and a page of its policies.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: PolicyGroupId,
    cursor: String,
) -> Result<GroupPage, Problem> {
    let row = answer(group::read(cx, id).await)?;
    let policies = answer(group::policies(cx, id, &page_at(cursor)).await)?;
    let may_write = may_write(cx);
    let others = if may_write { others(cx, id).await? } else { Vec::new() };
    let refused = kept(&url::group(tenant, id)).await;
    Ok(GroupPage {
        tenant,
        row: row.into(),
        policies: policies.map(Into::into),
        others,
        may_write,
        refused: refused.map(|kept| {
            let typed = serde_json::from_str(&kept.text).unwrap_or_default();
            (kept.problem, typed)
        }),
    })
}

fn may_write(cx: &Cx) -> bool {
    cx.tenant(permission::WRITE_POLICIES).is_ok()
}

/// The newest policies that do not belong to the group. The field takes the code of any other too.
async fn others(cx: &Cx, id: PolicyGroupId) -> Result<Vec<(String, String)>, Problem> {
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let found = answer(policy::list(cx, PolicyFilter::default(), &newest).await)?.items.into_iter();
    let others = found.filter(|policy| policy.policy_group_id != Some(id));
    Ok(others.map(|policy| (policy.code, policy.name)).collect())
}

/// Makes the group that a form asks for.
pub(in crate::api) async fn create(cx: &Cx, form: &GroupForm) -> Result<PolicyGroupId, Problem> {
    answer(group::create(cx, form.draft()?).await).map(|group| group.id)
}

/// Changes a group as a form says.
pub(in crate::api) async fn edit(
    cx: &Cx,
    id: PolicyGroupId,
    form: &GroupForm,
) -> Result<(), Problem> {
    answer(group::edit(cx, id, form.patch()?, Some(form.read()?)).await).map(drop)
}

/// Deletes a group, unless it is not what the person has seen.
pub(in crate::api) async fn delete(
    cx: &Cx,
    id: PolicyGroupId,
    seen: String,
) -> Result<(), Problem> {
    let form = GroupForm { seen, ..GroupForm::default() };
    answer(group::delete(cx, id, Some(form.read()?)).await)
}

/// Takes the policy that a form names out of the group, or puts the one of its code in.
pub(in crate::api) async fn put(cx: &Cx, form: &MoveForm) -> Result<(), Problem> {
    let (policy, group) = match form.policy {
        Some(policy) => (policy, Value::Null),
        None => (of_code(cx, form.code.trim()).await?, form.group.to_string().into()),
    };
    let in_group = |group: Value| {
        read::body(&Object::from([("policy_group_id", group)]).into())
            .map_err(|errors| Problem::of_fields(&errors, &[]))
    };
    // A policy that is taken out was seen in the group.
    let seen = form.policy.map(|_| in_group(form.group.to_string().into())).transpose()?;
    answer(policy::edit(cx, policy, in_group(group)?, seen).await).map(drop)
}

/// The policy of a code. Codes are unique whatever the case of their letters.
async fn of_code(cx: &Cx, code: &str) -> Result<PolicyId, Problem> {
    let mut page = PageRequest { limit: LIMIT_MAX, cursor: None };
    loop {
        let filter = PolicyFilter { q: Some(code.to_owned()), ..PolicyFilter::default() };
        let found = answer(policy::list(cx, filter, &page).await)?;
        let same = found.items.iter().find(|policy| policy.code.eq_ignore_ascii_case(code));
        if let Some(policy) = same {
            return Ok(policy.id);
        }
        page.cursor = found.next_cursor;
        if page.cursor.is_none() {
            return Err(MoveForm::unknown_code());
        }
    }
}

/// What was typed, as it is kept for its page.
pub(in crate::api) fn typed(form: &impl Serialize) -> String {
    serde_json::to_string(form).unwrap_or_default()
}
