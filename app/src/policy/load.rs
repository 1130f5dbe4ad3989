//! Data of the policy page, and deactivation of a policy.

use contract::{
    id::{PolicyGroupId, PolicyId, TenantId},
    policy::{PolicyFilter, ReasonBody},
    scope::Right,
};
use governance::{
    Cx,
    authoring::{
        policy::{self, VersionSelector},
        sample,
    },
    insight::rollup::{PolicyTotals, policy_totals},
};

use super::view::{PolicyList, PolicyPage, PolicyRow, RecentDecisions, SampleRow};
use crate::{
    member::names::{name_policy, name_version},
    policy_form::load as policy_form_load,
    problem::Problem,
    request::{directory, into_problem},
    text::{
        query::{ListQuery, PolicyQuery},
        url,
    },
    ui::list_page::ListPage,
    version::load as versions,
};

/// Returns one page of the list of policies, with the stages of their open versions.
pub(crate) async fn list(
    cx: &Cx,
    tenant: TenantId,
    query: &PolicyQuery,
) -> Result<PolicyList, Problem> {
    let may_write = cx.role().is_some_and(|role| role.has(Right::Author));
    let groups = policy_form_load::groups(cx).await?;
    let (rows, error) = match query.filter() {
        Ok(filter) => (rows(cx, filter, query, &groups).await?, None),
        Err(error) => (ListPage::default(), Some(error.to_owned())),
    };
    let is_empty = rows.items.is_empty() && !query.has_filters();
    let samples = if may_write && is_empty { into_problem(sample::list())? } else { Vec::new() };
    let samples = samples.into_iter().map(|sample| SampleRow {
        code: sample.code,
        name: sample.name,
        description: sample.description,
    });
    Ok(PolicyList {
        rows,
        now: cx.now,
        groups: groups.into_iter().map(|(id, name)| (id.to_string(), name)).collect(),
        may_write,
        samples: samples.collect(),
        problem: crate::request::take_rejected(&url::policies(tenant))
            .await
            .map(|form| form.problem),
        error,
    })
}

async fn rows(
    cx: &Cx,
    filter: PolicyFilter,
    query: &PolicyQuery,
    groups: &[(PolicyGroupId, String)],
) -> Result<ListPage<PolicyRow>, Problem> {
    let page = crate::request::page_at(query.cursor.clone());
    let window = into_problem(policy::window(cx, filter, &page).await)?;
    let mut rows = crate::request::list_page(window).map(PolicyRow::from);
    let ids: Vec<PolicyId> = rows.items.iter().map(|row| row.id).collect();
    let stages = into_problem(policy::version::open_stages(cx, ids.clone()).await)?;
    let mut totals = into_problem(policy_totals(cx, ids).await)?;
    for row in &mut rows.items {
        row.draft_stage = stages.get(&row.id).copied();
        row.recent = recent(totals.remove(&row.id));
        row.name_group(groups);
    }
    Ok(rows)
}

/// Returns the decisions of a policy; none if it has no totals.
fn recent(totals: Option<PolicyTotals>) -> RecentDecisions {
    let PolicyTotals { decisions, denied, buckets } = totals.unwrap_or_default();
    RecentDecisions { decisions, denied, buckets: buckets.to_vec() }
}

pub(crate) async fn page(cx: &Cx, id: PolicyId) -> Result<PolicyPage, Problem> {
    let names = &directory(cx).await?.names;
    let progress = into_problem(policy::version::progress(cx, id).await)?;
    let versions = into_problem(policy::version::all(cx, id).await)?;
    let active = versions.iter().any(|version| version.is_active);
    let versions = versions.into_iter().map(|mut version| {
        name_version(&mut version, names);
        versions::staged(version, &progress, names)
    });
    let versions = versions.collect::<Result<Vec<_>, _>>()?;
    let selector = active.then_some(VersionSelector::Active);
    let mut policy = into_problem(policy::read(cx, id, selector).await)?;
    name_policy(&mut policy, names);
    let mut page = PolicyPage::new(policy, versions, cx.role());
    page.row.recent = recent(into_problem(policy_totals(cx, [id]).await)?.remove(&id));
    if page.row.group.is_some() {
        page.row.name_group(&policy_form_load::groups(cx).await?);
    }
    Ok(page)
}

/// Deactivates a policy, unless the active version is not the one that the user has seen.
pub(crate) async fn deactivate(
    cx: &Cx,
    id: PolicyId,
    seen: u32,
    reason: &str,
) -> Result<(), Problem> {
    let reason = versions::reason(reason.trim().replace("\r\n", "\n"))?;
    into_problem(policy::deactivate(cx, id, ReasonBody { reason }, Some(seen)).await).map(drop)
}
