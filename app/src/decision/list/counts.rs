//! The counts of the decision list: a histogram above the rows, and links that add a filter.

use contract::{evaluation::Verdict, id::TenantId};
use leptos::prelude::*;

use crate::{
    decision::{
        list_words as strings,
        view::counts::{CountedBar, DecisionCounts},
    },
    overview::words::chart,
    rule::load::{log, start, times},
    text::{
        number::whole,
        query::{DecisionQuery, ListQuery as _},
        url,
    },
    ui::{
        badge::VerdictBadge,
        chart::{Column, Part, histogram},
    },
};

/// The verdicts, the most severe one first.
const VERDICTS: [Verdict; 4] = [Verdict::Deny, Verdict::Review, Verdict::Alert, Verdict::Allow];

/// The decisions of the counted time span as bars. Each part of a bar links to its decisions.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub(super) fn Histogram(
    tenant: TenantId,
    query: DecisionQuery,
    counts: DecisionCounts,
) -> impl IntoView {
    let notes = counts.notes(&query).join(" ");
    let DecisionCounts { from, to, step_ms, bars, .. } = counts;
    let columns = columns(tenant, &query, step_ms, bars);
    let caption = [chart::each_bar(step_ms), notes].join(" ");
    histogram("decisions", strings::HISTOGRAM, columns, times(step_ms, from, to), caption)
}

/// Returns the columns of bars of `step_ms`. The parts of verdicts that `query` excludes are empty.
pub(crate) fn columns(
    tenant: TenantId,
    query: &DecisionQuery,
    step_ms: i64,
    bars: Vec<CountedBar>,
) -> Vec<Column> {
    let is_counted =
        |verdict: Verdict| query.verdict.is_empty() || query.verdict == verdict.as_str();
    let column = |bar: CountedBar| {
        let part = |verdict: Verdict| {
            let decisions = if is_counted(verdict) { bar.decisions(verdict) } else { 0 };
            let part = DecisionQuery { verdict: verdict.to_string(), ..query.clone() };
            let href = log(tenant, bar.from, bar.to, part.without_range());
            Part { verdict, decisions, href }
        };
        Column { from: start(step_ms, bar.from), parts: Verdict::ALL.map(part).into() }
    };
    bars.into_iter().map(column).collect()
}

/// A choice of a facet: its content, its number of decisions, its address, and whether it is the current filter.
struct Choice {
    content: AnyView,
    decisions: i64,
    href: String,
    is_current: bool,
}

/// The verdicts, policies and violated rules with their counts. A link adds its filter, or removes the current one.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub(super) fn Facets(path: String, query: DecisionQuery, counts: DecisionCounts) -> impl IntoView {
    let choice = |name: &'static str, value: &str, current: &str, content: AnyView, decisions| {
        let is_current = value == current;
        let value = if is_current { "" } else { value };
        let mut others = vec![(name, value)];
        if name == "policy" {
            // A version belongs to its policy.
            others.push(("version", ""));
        }
        let href = url::with_other(&path, &query.filters(), &others);
        Choice { content, decisions, href, is_current }
    };
    let verdicts = VERDICTS.map(|verdict| {
        let content = view! { <VerdictBadge verdict /> }.into_any();
        let decisions = counts.decisions(verdict);
        choice("verdict", verdict.as_str(), &query.verdict, content, decisions)
    });
    let policies = counts.policies.iter().map(|(id, name, decisions)| {
        let content = view! { <bdi>{name.clone()}</bdi> }.into_any();
        choice("policy", &id.to_string(), &query.policy, content, *decisions)
    });
    let rules = counts.rules.iter().map(|(code, violated)| {
        let content = view! { <bdi class="font-mono">{code.clone()}</bdi> }.into_any();
        choice("rule", code, &query.rule, content, *violated)
    });
    view! {
        <nav class="facets" aria-label=strings::NARROW>
            {facet(strings::VERDICT, verdicts.into())}
            {facet(strings::POLICY, policies.collect())}
            {facet(strings::RULE, rules.collect())}
        </nav>
    }
}

/// Renders the choices of one filter, if there are any.
fn facet(title: &'static str, choices: Vec<Choice>) -> Option<AnyView> {
    let choice = |Choice { content, decisions, href, is_current }| {
        view! {
            <li>
                <a href=href aria-current=is_current.then_some("true")>
                    {content}
                    " "
                    <span class="n">{whole(decisions)}</span>
                </a>
            </li>
        }
    };
    (!choices.is_empty()).then(|| {
        view! {
            <section class="facet">
                <h2>{title}</h2>
                <ul class="plain-list">{choices.into_iter().map(choice).collect_view()}</ul>
            </section>
        }
        .into_any()
    })
}
