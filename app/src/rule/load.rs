//! Charts of rule results, for the overview and for one policy.

use contract::{
    id::TenantId,
    time::{DAY_MS, Timestamp},
};
use leptos::prelude::*;

use crate::{
    overview::words::chart as strings,
    text::{
        number::{rate, whole},
        query::{DecisionQuery, ListQuery as _},
        time, url,
    },
    ui::chart::{Cell, Rate, card, rates, table},
};

/// The number of outcomes that a rate needs to be meaningful.
const OUTCOMES_MIN: i64 = 5;

pub(crate) struct RuleRow {
    pub(crate) rule: String,
    /// Its policy and version, if the chart covers several policies.
    pub(crate) policy: Option<String>,
    /// Whether its policy was in shadow mode.
    pub(crate) is_shadow: bool,
    /// The number of decisions that considered the rule.
    pub(crate) considered: i64,
    pub(crate) violated: i64,
    /// The number of decisions to which the rule did not apply.
    pub(crate) na: i64,
    /// The number of violations with a known outcome.
    pub(crate) outcomes: i64,
    pub(crate) overridden: i64,
    /// The address of the decisions that violate the rule.
    pub(crate) href: String,
}

/// Returns the address of the decision list for a time range, with the other filters of `query`.
pub(crate) fn log(
    tenant: TenantId,
    from: Timestamp,
    to: Timestamp,
    query: DecisionQuery,
) -> String {
    let (from, to) = (from.to_string(), to.plus_millis(-1).to_string());
    DecisionQuery { from, to, ..query }.address(&url::decisions(tenant), "")
}

/// Formats the start of a bucket of `step_ms`. The time of day is left out if buckets have whole days and this one
/// starts with a day.
pub(crate) fn start(step_ms: i64, at: Timestamp) -> String {
    let starts_day = time::digits(at).millis().rem_euclid(DAY_MS) == 0;
    if step_ms >= DAY_MS && starts_day {
        return time::day(at);
    }
    let second = time::second(at);
    second.rsplit_once(':').map_or_else(|| second.clone(), |(minute, _)| minute.to_owned())
}

/// Formats the start, the middle and the end of a time range.
pub(crate) fn times(step_ms: i64, from: Timestamp, to: Timestamp) -> [String; 3] {
    let middle = from.plus_millis((to.millis() - from.millis()) / 2);
    [from, middle, to].map(|at| start(step_ms, at))
}

/// Renders how often rules are violated, in the given order. `none` is the text without rules; `more` follows
/// the chart.
pub(crate) fn violated(
    title: &'static str,
    rules: Vec<RuleRow>,
    total: i64,
    none: &'static str,
    more: Option<AnyView>,
) -> AnyView {
    let head = head(&rules, &strings::VIOLATED_HEAD);
    let (mut bars, mut rows) = (Vec::new(), Vec::new());
    for rule in rules {
        let (share, na) = (rate(rule.violated, rule.considered), rate(rule.na, rule.considered));
        let label = strings::violated(&share, &whole(rule.violated), &whole(rule.considered), &na);
        let cells = [rule.violated.into(), rule.considered.into(), share.into(), na.into()];
        rows.push(row(&rule, cells));
        let bar = Some((rule.violated, rule.considered));
        bars.push(to_rate(rule, label, bar));
    }
    let content = view! {
        {content("violated", title, &head, bars, rows, none)}
        {more}
    };
    let total = strings::violations(usize::try_from(total).unwrap_or_default());
    card(title, total, None, content.into_any())
}

/// Renders how often users overrode the verdict of rules, in the given order.
pub(crate) fn overridden(rules: Vec<RuleRow>, total: i64) -> AnyView {
    let head = head(&rules, &strings::OVERRIDES_HEAD);
    let (mut bars, mut rows) = (Vec::new(), Vec::new());
    for rule in rules {
        let has_enough_outcomes = rule.outcomes >= OUTCOMES_MIN;
        let known = has_enough_outcomes.then(|| rate(rule.overridden, rule.outcomes));
        let numbers = [rule.overridden, rule.outcomes, rule.violated];
        let [overridden, outcomes, violated] = numbers.map(whole);
        let label = strings::overridden(known.as_deref(), &overridden, &outcomes, &violated);
        let [overridden, outcomes, violated] = numbers.map(Cell::from);
        let known = known.unwrap_or_else(|| "–".to_owned());
        rows.push(row(&rule, [overridden, outcomes, violated, known.into()]));
        let bar = has_enough_outcomes.then_some((rule.overridden, rule.outcomes));
        bars.push(to_rate(rule, label, bar));
    }
    let content =
        content("overridden", strings::OVERRIDES, &head, bars, rows, strings::NO_OUTCOMES);
    let total = strings::outcomes(usize::try_from(total).unwrap_or_default());
    card(strings::OVERRIDES, total, Some(strings::OVERRIDES_NOTE.to_owned()), content)
}

/// Returns the header of a table, without the policy column if all rules belong to one policy.
fn head(rules: &[RuleRow], all: &[&'static str]) -> Vec<&'static str> {
    let is_one_policy = rules.iter().all(|rule| rule.policy.is_none());
    all.iter().copied().filter(|head| !is_one_policy || *head != strings::POLICY).collect()
}

fn row(rule: &RuleRow, numbers: [Cell; 4]) -> Vec<Cell> {
    let mut cells = vec![Cell::from(rule.rule.clone()).links_to(rule.href.clone())];
    cells.extend(rule.policy.clone().map(Cell::from));
    cells.extend(numbers);
    cells
}

fn to_rate(rule: RuleRow, label: String, bar: Option<(i64, i64)>) -> Rate {
    let RuleRow { rule, policy, is_shadow, href, .. } = rule;
    Rate { rule, policy, is_shadow, label, bar, href }
}

fn content(
    name: &'static str,
    title: &'static str,
    head: &[&'static str],
    bars: Vec<Rate>,
    rows: Vec<Vec<Cell>>,
    none: &'static str,
) -> AnyView {
    if bars.is_empty() {
        return view! { <p>{none}</p> }.into_any();
    }
    view! {
        {rates(name, bars)}
        {table(title, head, rows)}
    }
    .into_any()
}
