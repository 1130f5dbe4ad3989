//! Data of the decision list and of the page of a decision.

use std::mem;

use contract::{
    chain::ChainLinkInfo,
    decision::{DecisionRecord, EvaluatedPolicy},
    id::{DecisionId, SavedFilterId, TenantId},
    json::Value,
    pagination::LIMIT_MAX,
    policy::PolicyFilter,
    scope::Role,
};
use governance::{
    Cx, PageRequest,
    access::permission,
    authoring::policy,
    deciding::{
        chain::{self, AdjacentSteps, Step},
        decision, saved_filter,
    },
    insight::rollup::{self, Bucket, DecisionListParts},
};

use super::view::{
    DecisionPage, DecisionRow, DecisionRows, SavedFilter, Suggestions,
    counts::{CountedBar, DecisionCounts},
    explain::RuleBook,
};
use crate::{
    outcome::load as outcome_load,
    problem::Problem,
    request::{into_problem, list_page, page_at, set_result, take_rejected, take_result},
    text::{
        query::{DecisionQuery, ListQuery as _},
        url,
    },
    ui::list_page::ListPage,
};

/// Returns one page of the decision list. With invalid filters, it returns no rows and an error message.
pub(crate) async fn list(
    cx: &Cx,
    tenant: TenantId,
    query: DecisionQuery,
) -> Result<DecisionRows, Problem> {
    let own = query.address(&url::decisions(tenant), "");
    let rejected = take_rejected(&own).await;
    let removed = take_result(&own).await;
    let query = query.starting_from(cx.now);
    let (filter, error) = match query.filter() {
        Ok(filter) => (Some(filter), None),
        Err(error) => (None, Some(error.to_owned())),
    };
    // The mark is read before the rows, so that everything recorded in between counts as new.
    let parts = rollup::decision_list(cx, &filter.clone().unwrap_or_default()).await;
    let mut parts = into_problem(parts)?;
    let page = match filter {
        Some(filter) => {
            let window = decision::window(cx, filter, &page_at(query.cursor.clone())).await;
            list_page(into_problem(window)?).map(|record| {
                DecisionRow::new(&record, decision::worst_violation(&record.result.violations))
            })
        }
        None => ListPage::default(),
    };
    let has_counts = error.is_none() && DecisionCounts::describe(&query);
    let mut suggestions = Suggestions::new(mem::take(&mut parts.policies));
    let (saved, mark) = (mem::take(&mut parts.saved_filters), parts.mark.to_string());
    suggestions.add_rows(&page.items);
    Ok(DecisionRows {
        page,
        query,
        error,
        counts: has_counts.then(|| parts.into()),
        suggestions,
        saved: saved.into_iter().map(SavedFilter::from).collect(),
        removed,
        rejected,
        may_export: cx.tenant(permission::EXPORT_DECISIONS).is_ok(),
        mark,
    })
}

impl From<DecisionListParts> for DecisionCounts {
    fn from(parts: DecisionListParts) -> Self {
        let DecisionListParts { span, verdicts, .. } = parts;
        let bar = |bucket: Bucket| {
            let counted = verdicts.iter().filter(|(counted, ..)| *counted == bucket);
            let decisions = counted.map(|(_, verdict, decisions)| (*verdict, *decisions));
            CountedBar { from: bucket.from, to: bucket.to, decisions: decisions.collect() }
        };
        Self {
            from: span.from,
            to: span.to,
            step_ms: span.step_ms,
            is_shortened: parts.is_shortened,
            is_behind: parts.is_behind,
            bars: span.buckets().map(bar).collect(),
            policies: parts.by_policy,
            rules: parts.by_rule,
        }
    }
}

impl From<saved_filter::SavedFilter> for SavedFilter {
    fn from(filter: saved_filter::SavedFilter) -> Self {
        let saved_filter::SavedFilter { id, name, query } = filter;
        Self { id, name, query }
    }
}

/// Removes a saved filter, and stores it for the notice of `page`.
pub(crate) async fn remove_filter(cx: &Cx, id: SavedFilterId, page: &str) -> Result<(), Problem> {
    let removed = into_problem(saved_filter::remove(cx, id).await)?;
    set_result(page, &SavedFilter::from(removed)).await
}

/// Returns the policies to choose from and their decision types. Most tenants have fewer policies than the
/// limit; decisions of other policies are found by their rule or type.
pub(crate) async fn suggestions(cx: &Cx) -> Result<Suggestions, Problem> {
    let page = PageRequest { limit: LIMIT_MAX, cursor: None };
    let page = into_problem(policy::list(cx, PolicyFilter::default(), &page).await)?;
    let policies = page.items.into_iter();
    Ok(Suggestions::new(policies.map(|policy| (policy.id, policy.name, policy.decision_types))))
}

/// Returns one decision with its explanation. Rules that cannot be read are shown without their sentence.
pub(crate) async fn read(cx: &Cx, id: DecisionId, replay: bool) -> Result<DecisionPage, Problem> {
    let record = into_problem(decision::read(cx, id).await)?;
    let book = rules(cx, &record.evaluated_policies).await;
    let raw = serde_json::to_value(&record).and_then(serde_json::from_value::<Value>);
    let raw = into_problem(raw.map_err(|error| governance::Error::Bug(error.into())))?;
    let role = cx.role().unwrap_or(Role::Viewer);
    let recorded = outcome_load::recorded_outcome(cx, &record).await?;
    let replayed =
        if replay { Some(into_problem(decision::replay(cx, id).await)?.into()) } else { None };
    let chain = match &record.chain {
        Some(link) => chain_rows(cx, &record, link).await?,
        None => Vec::new(),
    };
    Ok(DecisionPage {
        chain,
        outcome: recorded,
        replayed,
        ..DecisionPage::new(record, &book, &raw, role)
    })
}

/// Returns the rows about a decision's chain: the chain, its step, the adjacent steps and its parent.
async fn chain_rows(
    cx: &Cx,
    record: &DecisionRecord,
    link: &ChainLinkInfo,
) -> Result<Vec<(String, String, String)>, Problem> {
    use super::words as strings;
    let tenant = record.tenant_id;
    let AdjacentSteps { before, after } = into_problem(chain::adjacent_steps(cx, record.id).await)?;
    let step = |label: &str, step: Step| {
        (label.to_owned(), step.step.to_string(), url::decision(tenant, step.decision_id))
    };
    let no_next_step =
        || (strings::NEXT_STEP.to_owned(), strings::NO_NEXT_STEP.to_owned(), String::new());
    let parent = link
        .parent_decision_id
        .map(|id| (strings::FOLLOWS.to_owned(), id.to_string(), url::decision(tenant, id)));
    let id = link.chain_id;
    let own = (strings::CHAIN.to_owned(), id.to_string(), url::chain(tenant, id));
    let number = (strings::STEP.to_owned(), link.chain_step.to_string(), String::new());
    let mut rows = vec![own, number];
    rows.extend(before.map(|adjacent| step(strings::PREVIOUS_STEP, adjacent)));
    rows.push(after.map_or_else(no_next_step, |adjacent| step(strings::NEXT_STEP, adjacent)));
    rows.extend(parent);
    Ok(rows)
}

/// Returns the rules of the evaluated policies. Rules of another tenant cannot be read: the page shows their
/// status without their sentence.
pub(crate) async fn rules(cx: &Cx, evaluated: &[EvaluatedPolicy]) -> RuleBook {
    let mut book = RuleBook::new();
    for evaluated in evaluated {
        let id = evaluated.policy_id;
        if let Ok(version) = policy::version::read(cx, id, evaluated.version).await {
            let rules = version.rules.into_iter().flatten();
            book.extend(rules.map(|rule| ((id, rule.code.clone()), rule)));
        }
    }
    book
}
