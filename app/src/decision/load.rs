//! Data of the decision list and of the page of a decision.

use std::mem;

use contract::{
    chain::ChainLinkInfo,
    decision::DecisionRecord,
    evaluation::Verdict,
    id::{DecisionId, PolicyId, SavedFilterId, TenantId},
    json::Value,
    pagination::LIMIT_MAX,
    policy::PolicyFilter,
    rule::Rule,
    scope::Role,
};
use governance::{
    Cx, PageRequest,
    access::{member, permission},
    authoring::policy,
    deciding::{
        chain::{self, AdjacentSteps, Step},
        decision::{
            self,
            provenance::{PolicyProvenance, Provenance},
        },
        saved_filter,
    },
    insight::rollup::{self, Bucket, DecisionListParts, Span},
};

use super::{
    view::{
        DecisionPage, DecisionRow, DecisionRows, SavedFilter, Suggestions,
        counts::{CountedBar, DecisionCounts},
        explain::{self, GateResult, PolicyExplanation, RuleBook, RuleExplanation},
    },
    words,
};
use crate::{
    outcome::view::OutcomeDetails,
    problem::Problem,
    provenance::load::policy_line,
    request::{into_problem, list_page, page_at, set_result, take_rejected, take_result},
    text::{
        query::{DecisionQuery, ListQuery as _},
        rule, url,
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

/// Returns the bars of a span.
pub(crate) fn bars(span: Span, verdicts: &[(Bucket, Verdict, i64)]) -> Vec<CountedBar> {
    let bar = |bucket: Bucket| {
        let counted = verdicts.iter().filter(|(counted, ..)| *counted == bucket);
        let decisions = counted.map(|(_, verdict, decisions)| (*verdict, *decisions));
        CountedBar { from: bucket.from, to: bucket.to, decisions: decisions.collect() }
    };
    span.buckets().map(bar).collect()
}

impl From<DecisionListParts> for DecisionCounts {
    fn from(parts: DecisionListParts) -> Self {
        let DecisionListParts { span, verdicts, .. } = parts;
        Self {
            from: span.from,
            to: span.to,
            step_ms: span.step_ms,
            is_shortened: parts.is_shortened,
            is_behind: parts.is_behind,
            bars: bars(span, &verdicts),
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
    let provenance = into_problem(decision::provenance(cx, id).await)?;
    let names = into_problem(member::names(cx).await)?;
    let Provenance { decision: record, policies } = provenance;
    let book: RuleBook = policies.iter().flat_map(recorded_rules).collect();
    let raw = into_problem(governance::base::json::to_json(&record).map_err(Into::into))?;
    let role = cx.role().unwrap_or(Role::Viewer);
    let outcome = record.outcome.clone().map(|outcome| OutcomeDetails::new(outcome, &names));
    let replayed =
        if replay { Some(into_problem(decision::replay(cx, id).await)?.into()) } else { None };
    let chain = match &record.chain {
        Some(link) => chain_rows(cx, &record, link).await?,
        None => Vec::new(),
    };
    let context = record.context.clone();
    let mut page = DecisionPage::new(record, &book, &raw, role);
    add_gates(&mut page.policies, &book, &context);
    let mut shown: Vec<_> = page.violated_policies().collect();
    if shown.is_empty() {
        shown.push(page.policy);
    }
    let is_shown = |policy: &PolicyProvenance| shown.contains(&policy.policy_id);
    let history = policies.into_iter().filter(is_shown);
    let history = history.map(|policy| policy_line(policy, &page.policies, &names)).collect();
    Ok(DecisionPage { history, chain, outcome, replayed, ..page })
}

/// Returns the rules of a policy of the snapshot, by policy and code.
fn recorded_rules(
    policy: &PolicyProvenance,
) -> impl Iterator<Item = ((PolicyId, String), Rule)> + '_ {
    policy.rules.iter().map(|rule| ((policy.policy_id, rule.code.clone()), rule.clone()))
}

/// Evaluates the gates of the violated rules against the recorded context.
fn add_gates(policies: &mut [PolicyExplanation], book: &RuleBook, context: &Value) {
    let Some(fields) = context.get("fields").and_then(Value::as_object) else { return };
    for policy in policies {
        let id = policy.policy;
        let is_violated = |rule: &&mut RuleExplanation| rule.is_violated();
        for rule in policy.rules.iter_mut().filter(is_violated) {
            let recorded = book.get(&(id, rule.code.clone()));
            let gate = recorded.and_then(|recorded| recorded.when.as_ref());
            let trace = gate.and_then(|gate| decision::GateTrace::new(gate, fields));
            rule.gate = trace.as_ref().map(gate_result);
        }
    }
}

fn gate_result(trace: &decision::GateTrace) -> GateResult {
    let parts = || trace.parts.iter().map(gate_result).collect();
    let is_group = !trace.parts.is_empty();
    if is_group && trace.matches {
        let is_all = trace.gate.get("all").is_some();
        return if is_all { GateResult::All(parts()) } else { GateResult::Any(parts()) };
    }
    let actual = trace.actual.as_ref();
    let actual = actual.map_or_else(|| words::NOT_GIVEN.to_owned(), explain::plain);
    GateResult::Condition {
        sentence: rule::gate_sentence(&trace.gate),
        actual: (!is_group).then_some(actual),
        matches: trace.matches,
    }
}

/// Returns the rows about a decision's chain: the chain, its step, the adjacent steps and its parent.
async fn chain_rows(
    cx: &Cx,
    record: &DecisionRecord,
    link: &ChainLinkInfo,
) -> Result<Vec<(String, String, String)>, Problem> {
    let tenant = record.tenant_id;
    let AdjacentSteps { before, after } = into_problem(chain::adjacent_steps(cx, record.id).await)?;
    let step = |label: &str, step: Step| {
        (label.to_owned(), step.step.to_string(), url::decision(tenant, step.decision_id))
    };
    let no_next_step =
        || (words::NEXT_STEP.to_owned(), words::NO_NEXT_STEP.to_owned(), String::new());
    let parent = link
        .parent_decision_id
        .map(|id| (words::FOLLOWS.to_owned(), id.to_string(), url::decision(tenant, id)));
    let id = link.chain_id;
    let own = (words::CHAIN.to_owned(), id.to_string(), url::chain(tenant, id));
    let number = (words::STEP.to_owned(), link.chain_step.to_string(), String::new());
    let mut rows = vec![own, number];
    rows.extend(before.map(|adjacent| step(words::PREVIOUS_STEP, adjacent)));
    rows.push(after.map_or_else(no_next_step, |adjacent| step(words::NEXT_STEP, adjacent)));
    rows.extend(parent);
    Ok(rows)
}
