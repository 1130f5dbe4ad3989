//! Data of the policy page, and deactivation of a policy.

use contract::{
    analytics::BucketSize,
    id::{PolicyGroupId, PolicyId, TenantId},
    policy::{PolicyFilter, ReasonBody, VersionStage},
    scope::Right,
};
use governance::{
    Cx,
    authoring::{
        policy::{self, version::PolicyHistory},
        sample,
    },
    insight::rollup::{self, PolicyFigures, policy_figures},
};

use super::view::{PolicyCounts, PolicyList, PolicyPage, PolicyRow, RecentDecisions, SampleRow};
use crate::{
    member::names::{name_policy, name_version},
    policy_form,
    problem::Problem,
    request::{directory, into_problem, take_result},
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
    let groups = policy_form::groups(cx).await?;
    let ((rows, counts), error) = match query.filter() {
        Ok(filter) => (rows(cx, filter, query, &groups).await?, None),
        Err(error) => (Default::default(), Some(error.to_owned())),
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
        counts,
        groups: groups.into_iter().map(|(id, name)| (id.to_string(), name)).collect(),
        may_write,
        samples: samples.collect(),
        problem: crate::request::take_rejected(&url::policies(tenant))
            .await
            .map(|form| form.problem),
        error,
    })
}

/// Returns one page of the list, and the numbers of all policies.
async fn rows(
    cx: &Cx,
    filter: PolicyFilter,
    query: &PolicyQuery,
    groups: &[(PolicyGroupId, String)],
) -> Result<(ListPage<PolicyRow>, PolicyCounts), Problem> {
    let page = crate::request::page_at(query.cursor.clone());
    let window = into_problem(policy::window(cx, filter, &page).await)?;
    let mut rows = crate::request::list_page(window).map(PolicyRow::from);
    let stages = into_problem(policy::version::open_stages(cx).await)?;
    let ids: Vec<PolicyId> = rows.items.iter().map(|row| row.id).collect();
    let (counts, mut figures) = into_problem(policy_figures(cx, ids).await)?;
    for row in &mut rows.items {
        row.draft_stage = stages.get(&row.id).copied();
        row.set_figures(figures.remove(&row.id).unwrap_or_default());
        row.name_group(groups);
    }
    let is_waiting = |stage: &&VersionStage| {
        matches!(stage, VersionStage::WaitingForReview | VersionStage::WaitingForRatification)
    };
    let counts = PolicyCounts {
        policies: counts.policies.unsigned_abs(),
        active: counts.active.unsigned_abs(),
        open: counts.open.unsigned_abs(),
        waiting: stages.values().filter(is_waiting).map(|_| 1).sum(),
    };
    Ok((rows, counts))
}

impl PolicyRow {
    fn set_figures(&mut self, figures: PolicyFigures) {
        let PolicyFigures { active_since, last_change, totals } = figures;
        self.active_since = active_since;
        // A deleted draft has no version whose events could be read.
        if let Some(change) = last_change.filter(|change| change.at >= self.changed_at) {
            (self.changed_at, self.changed_by) = (change.at, change.by);
        }
        let (decisions, denied) = (totals.decisions, totals.denied);
        self.recent = RecentDecisions { decisions, denied, buckets: totals.buckets.to_vec() };
    }
}

pub(crate) async fn page(cx: &Cx, id: PolicyId) -> Result<PolicyPage, Problem> {
    let names = &directory(cx).await?.names;
    let history = into_problem(policy::version::history(cx, id).await)?;
    let PolicyHistory { mut policy, complete, versions, progress } = history;
    let versions = versions.into_iter().map(|mut version| {
        name_version(&mut version, names);
        versions::staged(version, &progress, names)
    });
    let versions = versions.collect::<Result<Vec<_>, _>>()?;
    policy.version = complete.map(Box::new);
    name_policy(&mut policy, names);
    let recent = rollup::analytics(cx, id, None, None, BucketSize::Day).await;
    let mut page = PolicyPage::new(policy, versions, into_problem(recent)?, cx.role());
    if page.row.group.is_some() {
        page.row.name_group(&policy_form::groups(cx).await?);
    }
    page.deleted = take_result(&url::policy(page.tenant, id)).await;
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
