//! Data of the authoring capability pages.

use contract::{
    id::{CapabilityId, TenantId},
    pagination::Page,
    scope::{Right, Role},
};
use governance::{
    Cx,
    authoring::capability::{self, GrantLineageStatus},
    base::error::role_lacks_permission,
};

use super::{
    view::{GrantAct, GrantForm, GrantPage, GrantRow, GrantsPage, IssueFormData, version_word},
    words,
};
use crate::{
    flash::OneTimeSecret,
    member::names::Names,
    problem::Problem,
    request::{
        directory, governance, into_problem, page_at, take_created, take_input, take_rejected,
    },
    text::{url, verdict},
};

/// Returns one page of the list, newest first. The form preselects `version`.
pub(crate) async fn list(
    cx: &Cx,
    tenant: TenantId,
    cursor: String,
    version: String,
) -> Result<GrantsPage, Problem> {
    let may_issue = may_issue(cx)?;
    let lineages = into_problem(capability::list_lineages(cx, &page_at(cursor)).await)?;
    let names = &directory(cx).await?.names;
    let items = lineages.items.into_iter().filter_map(|lineage| row(lineage, names)).collect();
    let page = url::grants(tenant);
    let offer = if may_issue { Some(offer(cx, &page, version).await?) } else { None };
    Ok(GrantsPage {
        tenant,
        rows: Page { items, next_cursor: lineages.next_cursor },
        offer,
        secret: take_created(&page),
    })
}

/// Returns one capability, and why `act` was rejected.
pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: CapabilityId,
    act: GrantAct,
) -> Result<GrantPage, Problem> {
    let may_act = may_issue(cx)?;
    let lineage = into_problem(capability::lineage(cx, id).await)?;
    let names = &directory(cx).await?.names;
    let row = row(lineage, names).ok_or_else(Problem::missing)?;
    let refused = take_rejected(&act.page(tenant, id)).await.map(|rejected| rejected.problem);
    Ok(GrantPage { tenant, row, may_act, refused })
}

/// Issues the capability described by a form, under the ID from the form.
pub(crate) async fn issue(
    cx: &Cx,
    id: CapabilityId,
    form: &GrantForm,
) -> Result<OneTimeSecret, Problem> {
    let issued = capability::issue_as(cx, id, form.draft()?).await;
    let issued = into_problem(issued)?;
    Ok(OneTimeSecret { name: issued.key.name, secret: issued.plaintext_key })
}

/// Returns whether the user can issue capabilities. Fails if the user cannot view them either.
fn may_issue(cx: &Cx) -> Result<bool, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    let may_issue = role.has(Right::Author);
    if may_issue || role.has(Right::Audit) {
        return Ok(may_issue);
    }
    let action = "managing authoring capabilities";
    into_problem(Err(role_lacks_permission(action, Right::Author, role).into()))
}

async fn offer(cx: &Cx, page: &str, version: String) -> Result<IssueFormData, Problem> {
    let open = into_problem(capability::open_versions(cx).await)?;
    let open = open.into_iter().map(|open| {
        let stage = verdict::stage(open.stage);
        let label = words::open_version(&open.code, open.version, stage, &open.name);
        (version_word(open.policy, open.version), label)
    });
    Ok(IssueFormData {
        next: governance().entropy().id(),
        versions: open.collect(),
        version,
        refused: take_input(page).await,
    })
}

fn row(lineage: GrantLineageStatus, names: &Names) -> Option<GrantRow> {
    let row = GrantRow::new(lineage.grants, lineage.ended, names)?;
    Some(GrantRow { policy_named: lineage.policy, successor: lineage.successor, ..row })
}
