//! How rules fare, drawn: for the overview, and for one policy.

use contract::{
    id::TenantId,
    time::{DAY_MS, Timestamp},
};
use leptos::prelude::*;

use crate::{
    text::{
        number::{rate, whole},
        time, url,
        words::overview::chart as say,
    },
    ui::chart::{Cell, Rate, card, rates, table},
    view::query::DecisionQuery,
};

/// How many outcomes a rate needs to say anything.
const OUTCOMES_MIN: i64 = 5;

/// A rule and its counts.
pub(super) struct Fared {
    pub(super) rule: String,
    /// Its policy and version, where the chart is of several.
    pub(super) policy: Option<String>,
    /// Whether its policy only watched.
    pub(super) is_shadow: bool,
    /// How many decisions looked at it.
    pub(super) looked: i64,
    pub(super) violated: i64,
    /// To how many decisions it did not apply.
    pub(super) na: i64,
    /// Of how many violations an outcome is known.
    pub(super) outcomes: i64,
    pub(super) overridden: i64,
    /// The log of the decisions that violate it.
    pub(super) href: String,
}

/// The log of a part of the time, under the other filters of `query`.
pub(super) fn log(
    tenant: TenantId,
    from: Timestamp,
    to: Timestamp,
    query: DecisionQuery,
) -> String {
    let text = |at: Timestamp| at.to_string().trim_end_matches('Z').to_owned();
    let (from, to) = (text(from), text(to.plus_millis(-1)));
    DecisionQuery { from, to, ..query }.address(&url::decisions(tenant), "")
}

/// Where a part of `step_ms` starts, in words: with the clock, when parts are shorter than a day.
pub(super) fn start(step_ms: i64, at: Timestamp) -> String {
    let words = time::minute(at);
    let words = words.trim_end_matches(" UTC");
    let day = words.rsplit_once(' ').filter(|_| step_ms >= DAY_MS).map(|(day, _)| day);
    day.unwrap_or(words).to_owned()
}

/// How often rules are violated, in their order; `none` where there is no rule, `more` below them.
pub(super) fn violated(
    title: &'static str,
    rules: Vec<Fared>,
    total: i64,
    none: &'static str,
    more: Option<AnyView>,
) -> AnyView {
    let head = head(&rules, &say::VIOLATED_HEAD);
    let (mut shown, mut rows) = (Vec::new(), Vec::new());
    for rule in rules {
        let (share, na) = (rate(rule.violated, rule.looked), rate(rule.na, rule.looked));
        let said = say::violated(&share, &whole(rule.violated), &whole(rule.looked), &na);
        let cells = [rule.violated.into(), rule.looked.into(), share.into(), na.into()];
        rows.push(row(&rule, cells));
        let bar = Some((rule.violated, rule.looked));
        shown.push(drawn(rule, said, bar));
    }
    let content = view! {
        {content("violated", title, &head, shown, rows, none)}
        {more}
    };
    let total = say::violations(usize::try_from(total).unwrap_or_default());
    card(title, total, None, content.into_any())
}

/// How often people decided otherwise than rules, in their order.
pub(super) fn overridden(rules: Vec<Fared>, total: i64) -> AnyView {
    let head = head(&rules, &say::OVERRIDES_HEAD);
    let (mut shown, mut rows) = (Vec::new(), Vec::new());
    for rule in rules {
        let enough = rule.outcomes >= OUTCOMES_MIN;
        let known = enough.then(|| rate(rule.overridden, rule.outcomes));
        let numbers = [rule.overridden, rule.outcomes, rule.violated];
        let [overridden, outcomes, violated] = numbers.map(whole);
        let said = say::overridden(known.as_deref(), &overridden, &outcomes, &violated);
        let [overridden, outcomes, violated] = numbers.map(Cell::from);
        let known = known.unwrap_or_else(|| "–".to_owned());
        rows.push(row(&rule, [overridden, outcomes, violated, known.into()]));
        let bar = enough.then_some((rule.overridden, rule.outcomes));
        shown.push(drawn(rule, said, bar));
    }
    let content = content("overridden", say::OVERRIDES, &head, shown, rows, say::NO_OUTCOMES);
    let total = say::outcomes(usize::try_from(total).unwrap_or_default());
    card(say::OVERRIDES, total, Some(say::OVERRIDES_SAY.to_owned()), content)
}

/// The head of a table, without the policy where all rules are of one.
fn head(rules: &[Fared], all: &[&'static str]) -> Vec<&'static str> {
    let is_of_one = rules.iter().all(|rule| rule.policy.is_none());
    all.iter().copied().filter(|head| !is_of_one || *head != say::POLICY).collect()
}

fn row(rule: &Fared, numbers: [Cell; 4]) -> Vec<Cell> {
    let mut cells = vec![Cell::from(rule.rule.clone()).leads(rule.href.clone())];
    cells.extend(rule.policy.clone().map(Cell::from));
    cells.extend(numbers);
    cells
}

fn drawn(rule: Fared, said: String, bar: Option<(i64, i64)>) -> Rate {
    let Fared { rule, policy, is_shadow, href, .. } = rule;
    Rate { rule, policy, is_shadow, said, bar, href }
}

fn content(
    name: &'static str,
    title: &'static str,
    head: &[&'static str],
    shown: Vec<Rate>,
    rows: Vec<Vec<Cell>>,
    none: &'static str,
) -> AnyView {
    if shown.is_empty() {
        return view! { <p>{none}</p> }.into_any();
    }
    view! {
        {rates(name, shown)}
        {table(title, head, rows)}
    }
    .into_any()
}
