//! Charts of rule results, for the overview and for one policy.

use page_kit::{
    prelude::*,
    text::number::rate,
    ui::chart::{Cell, Rate, card, rates, table},
};

const POLICY: &str = "Policy";

/// The number of outcomes that a rate needs to be meaningful.
const OUTCOMES_MIN: i64 = 5;

pub struct RuleRow {
    pub rule: String,
    /// Its policy and version, if the chart covers several policies.
    pub policy: Option<String>,
    /// Whether its policy was in shadow mode.
    pub is_shadow: bool,
    /// The number of decisions that considered the rule.
    pub considered: i64,
    pub violated: i64,
    /// The number of decisions to which the rule did not apply.
    pub na: i64,
    /// The number of violations with a known outcome.
    pub outcomes: i64,
    pub overridden: i64,
    /// The address of the decisions that violate the rule.
    pub href: String,
}

/// Returns the address of the decision list for a time range, with other filters.
pub fn log(tenant: TenantId, from: Timestamp, to: Timestamp, filters: &[(&str, &str)]) -> String {
    let (from, to) = (from.to_string(), to.plus_millis(-1).to_string());
    let range = [("from", &*from), ("to", &to)];
    url::with_query(&url::decisions(tenant), &[filters, &range].concat())
}

/// Renders how often rules are violated, in the given order. `none` is the text without rules; `more` follows
/// the chart.
pub fn violated(
    title: &'static str,
    rules: Vec<RuleRow>,
    total: i64,
    none: &'static str,
    more: Option<AnyView>,
) -> AnyView {
    let head =
        head(&rules, [POLICY, "Violated", "Decisions of the policy", "Share", "Not applicable"]);
    let (mut bars, mut rows) = (Vec::new(), Vec::new());
    for rule in rules {
        let (share, na) = (rate(rule.violated, rule.considered), rate(rule.na, rule.considered));
        let [violated, considered] = [rule.violated, rule.considered].map(whole);
        let label =
            format!("{share}: {violated} of {considered} decisions; not applicable to {na}");
        let cells = [rule.violated.into(), rule.considered.into(), share.into(), na.into()];
        rows.push(row(&rule, cells));
        let bar = Some((rule.violated, rule.considered));
        bars.push(to_rate(rule, label, bar));
    }
    let content = view! {
        {content("violated", title, &head, bars, rows, none)}
        {more}
    };
    let total = counted(total, "violation", "violations");
    card(title, total, None, content.into_any())
}

fn counted(number: i64, one: &str, many: &str) -> String {
    count(usize::try_from(number).unwrap_or_default(), one, many)
}

/// Renders how often users overrode the verdict of rules, in the given order.
pub fn overridden(rules: Vec<RuleRow>, total: i64) -> AnyView {
    const TITLE: &str = "Override rate";
    let head = head(&rules, [POLICY, "Overridden", "Outcome known", "Violated", "Rate"]);
    let (mut bars, mut rows) = (Vec::new(), Vec::new());
    for rule in rules {
        let has_enough_outcomes = rule.outcomes >= OUTCOMES_MIN;
        let known = has_enough_outcomes.then(|| rate(rule.overridden, rule.outcomes));
        let numbers = [rule.overridden, rule.outcomes, rule.violated];
        let [overridden, outcomes, violated] = numbers.map(whole);
        let share = known.as_deref().unwrap_or("Not enough data");
        let label = format!(
            "{share}: {overridden} of {outcomes}; outcome known for {outcomes} of {violated}"
        );
        let [overridden, outcomes, violated] = numbers.map(Cell::from);
        let known = known.unwrap_or_else(|| "–".to_owned());
        rows.push(row(&rule, [overridden, outcomes, violated, known.into()]));
        let bar = has_enough_outcomes.then_some((rule.overridden, rule.outcomes));
        bars.push(to_rate(rule, label, bar));
    }
    let none = "No violation in this range has an outcome.";
    let content = content("overridden", TITLE, &head, bars, rows, none);
    let total = counted(total, "outcome of a violation", "outcomes of violations");
    let note = "Overridden decisions among those with an outcome.".to_owned();
    card(TITLE, total, Some(note), content)
}

/// Returns the header of a table, without the policy column if all rules belong to one policy.
fn head(rules: &[RuleRow], rest: [&'static str; 5]) -> Vec<&'static str> {
    let is_one_policy = rules.iter().all(|rule| rule.policy.is_none());
    let rest = rest.into_iter().filter(|head| !is_one_policy || *head != POLICY);
    std::iter::once("Rule").chain(rest).collect()
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
        return any_view! { <p>{none}</p> };
    }
    any_view! {
        {rates(name, bars)}
        {table(title, head, rows)}
    }
}
