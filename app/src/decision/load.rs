//! Data of the decision list and of the page of a decision.

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
};

use super::view::{
    DecisionPage, DecisionRow, DecisionRows, SavedFilter, Suggestions, explain::RuleBook,
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
    let mut suggestions = suggestions(cx).await?;
    let mark = into_problem(decision::mark(cx).await)?.to_string();
    let saved = into_problem(saved_filter::list(cx).await)?;
    let query = query.starting_from(cx.now);
    let (page, error) = match query.filter() {
        Ok(filter) => {
            let window = decision::window(cx, filter, &page_at(query.cursor.clone())).await;
            let page = list_page(into_problem(window)?).map(|record| {
                DecisionRow::new(&record, decision::worst_violation(&record.result.violations))
            });
            (page, None)
        }
        Err(error) => (ListPage::default(), Some(error.to_owned())),
    };
    suggestions.add_rows(&page.items);
    Ok(DecisionRows {
        page,
        query,
        error,
        suggestions,
        saved: saved.into_iter().map(SavedFilter::from).collect(),
        removed,
        rejected,
        may_export: cx.tenant(permission::EXPORT_DECISIONS).is_ok(),
        mark,
    })
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
    let mut suggestions = Suggestions::default();
    for policy in page.items {
        suggestions.decision_types.extend(policy.decision_types);
        suggestions.policies.push((policy.id, policy.name));
    }
    suggestions.policies.sort_by(|(_, a), (_, b)| a.cmp(b));
    suggestions.add_rows(&[]);
    Ok(suggestions)
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
    let versions = evaluated.iter().map(|evaluated| (evaluated.policy_id, evaluated.version));
    let rules = policy::version::rules_of(cx, versions).await.unwrap_or_default();
    rules.into_iter().map(|(id, rule)| ((id, rule.code.clone()), rule)).collect()
}
