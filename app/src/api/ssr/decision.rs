//! What the log and the page of a decision are made of.

use contract::{
    chain::Chained,
    decision::{DecisionRecord, EvaluatedPolicy},
    id::{DecisionId, PolicyId, SavedFilterId, TenantId},
    json::Value,
    page::{LIMIT_MAX, Page},
    policy::PolicyFilter,
    scope::Role,
};
use governance::{
    Cx, PageRequest,
    chain::{self, Neighbours, Step},
    decision, permission, policy, saved_filter,
};

use super::{answer, kept, outcome, page_at};
use crate::{
    problem::Problem,
    text::{url, words},
    view::{
        decision::{DecisionPage, DecisionRow, DecisionRows, SavedFilter, explain::RuleBook},
        query::DecisionQuery,
    },
};

/// One page of the log. Filters that cannot be read show no rows, and say so.
pub(in crate::api) async fn list(
    cx: &Cx,
    tenant: TenantId,
    query: DecisionQuery,
) -> Result<DecisionRows, Problem> {
    let kept = kept(&query.address(&url::decisions(tenant), "")).await;
    let policies = policies(cx).await?;
    let mark = answer(decision::mark(cx).await)?.to_string();
    let saved = answer(saved_filter::list(cx).await)?.into_iter();
    let saved =
        saved.map(|saved_filter::SavedFilter { id, name, query }| SavedFilter { id, name, query });
    let mut rows = DecisionRows {
        page: Page { items: Vec::new(), next_cursor: None },
        fault: None,
        policies,
        saved: saved.collect(),
        kept,
        may_export: cx.tenant(permission::EXPORT_DECISIONS).is_ok(),
        mark,
    };
    match query.filter() {
        Ok(filter) => {
            let page = decision::list(cx, filter, &page_at(query.cursor)).await;
            rows.page = answer(page)?.map(DecisionRow::from);
        }
        Err(fault) => rows.fault = Some(fault.to_owned()),
    }
    Ok(rows)
}

/// The policies to choose from. A tenant has few; whoever has more than fit finds the rest by rule
/// or type.
async fn policies(cx: &Cx) -> Result<Vec<(PolicyId, String)>, Problem> {
    let page = PageRequest { limit: LIMIT_MAX, cursor: None };
    let page = answer(policy::list(cx, PolicyFilter::default(), &page).await)?;
    let mut policies: Vec<_> =
        page.items.into_iter().map(|policy| (policy.id, policy.name)).collect();
    policies.sort_by(|(_, a), (_, b)| a.cmp(b));
    Ok(policies)
}

/// Keeps the filters under a name.
pub(in crate::api) async fn save(cx: &Cx, name: &str, query: &str) -> Result<(), Problem> {
    answer(saved_filter::save(cx, name, query).await).map(drop)
}

/// Removes a filter that the person keeps.
pub(in crate::api) async fn remove(cx: &Cx, id: SavedFilterId) -> Result<(), Problem> {
    answer(saved_filter::remove(cx, id).await)
}

/// One decision explained, with the rules that decided as far as they can be read.
pub(in crate::api) async fn read(
    cx: &Cx,
    id: DecisionId,
    replay: bool,
) -> Result<DecisionPage, Problem> {
    let record = answer(decision::read(cx, id).await)?;
    let book = rules(cx, &record.evaluated_policies).await;
    let raw = serde_json::to_value(&record).and_then(serde_json::from_value::<Value>);
    let raw = answer(raw.map_err(|error| governance::Error::Bug(error.into())))?;
    let role = cx.role().unwrap_or(Role::Viewer);
    let told = outcome::told(cx, &record).await?;
    let replayed = if replay { Some(answer(decision::replay(cx, id).await)?.into()) } else { None };
    let chain = match &record.chain {
        Some(chained) => beside(cx, &record, chained).await?,
        None => Vec::new(),
    };
    Ok(DecisionPage { chain, told, replayed, ..DecisionPage::new(record, &book, &raw, role) })
}

/// A decision's chain and what stands beside it there.
async fn beside(
    cx: &Cx,
    record: &DecisionRecord,
    chained: &Chained,
) -> Result<Vec<(String, String, String)>, Problem> {
    use words::decision as say;
    let tenant = record.tenant_id;
    let Neighbours { before, after } = answer(chain::neighbours(cx, record.id).await)?;
    let step = |what: &str, step: Step| {
        (what.to_owned(), step.step.to_string(), url::decision(tenant, step.decision_id))
    };
    let last = || (say::AFTER.to_owned(), say::LAST_SO_FAR.to_owned(), String::new());
    let parent = chained
        .parent_decision_id
        .map(|id| (say::FOLLOWS.to_owned(), id.to_string(), url::decision(tenant, id)));
    let id = chained.chain_id;
    let own = (say::CHAIN.to_owned(), id.to_string(), url::chain(tenant, id));
    let number = (say::STEP.to_owned(), chained.chain_step.to_string(), String::new());
    let mut lines = vec![own, number];
    lines.extend(before.map(|found| step(say::BEFORE, found)));
    lines.push(after.map_or_else(last, |found| step(say::AFTER, found)));
    lines.extend(parent);
    Ok(lines)
}

/// The rules of the evaluated policies. Those of another tenant stay unknown: the decision says how
/// they fared, and the sentence is left out.
pub(super) async fn rules(cx: &Cx, evaluated: &[EvaluatedPolicy]) -> RuleBook {
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
