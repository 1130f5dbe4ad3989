//! The counts of the decision list: a histogram above the rows, and links that add a filter. They are sums of hourly
//! counts, and apply only some of the filters.

use contract::{
    evaluation::Verdict,
    id::TenantId,
    time::{DAY_MS, Timestamp},
};
use governance::insight::rollup::{Bucket, DecisionListParts, Span};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::filters::{VERDICTS, label};
use crate::{
    rule::chart::log,
    text::{
        number::{count, whole},
        query::{DecisionQuery, ListQuery as _},
        url,
    },
    ui::{
        badge::VerdictBadge,
        chart::{Column, Part, each_bar, histogram, start, times},
    },
};

/// The decisions of a part of the time span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CountedBar {
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
    /// The decisions with each verdict.
    pub(crate) decisions: Vec<(Verdict, i64)>,
}

impl CountedBar {
    fn decisions(&self, verdict: Verdict) -> i64 {
        let counted = self.decisions.iter().find(|(counted, _)| *counted == verdict);
        counted.map_or(0, |(_, decisions)| *decisions)
    }
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
            let href = log(tenant, bar.from, bar.to, &part.values());
            Part { verdict, decisions, href }
        };
        Column { from: start(step_ms, bar.from), parts: Verdict::ALL.map(part).into() }
    };
    bars.into_iter().map(column).collect()
}

/// Returns whether the counts describe the list of `query`. A list of single decisions has no counts.
pub(super) fn has_counts(query: &DecisionQuery) -> bool {
    [&query.correlation_id, &query.chain, &query.idempotency_key]
        .iter()
        .all(|filter| filter.is_empty())
}

/// Renders the decisions of the counted time span as bars. Each part of a bar links to its decisions.
pub(super) fn list_histogram(
    tenant: TenantId,
    query: &DecisionQuery,
    parts: &DecisionListParts,
) -> AnyView {
    let Span { from, to, step_ms } = parts.span;
    let columns = columns(tenant, query, step_ms, bars(parts.span, &parts.verdicts));
    let caption = [each_bar(step_ms), notes(parts, query).join(" ")].join(" ");
    let times = times(step_ms, from, to);
    histogram("decisions", "Decisions over time", columns, times, caption).into_any()
}

/// Returns a sentence for each way in which the counts differ from the list of `query`.
fn notes(parts: &DecisionListParts, query: &DecisionQuery) -> Vec<String> {
    let applied = ["verdict", "policy", "version"];
    let set = query.values().into_iter().filter(|(_, value)| !value.is_empty());
    let ignored = set.filter(|(name, _)| !applied.contains(name));
    let ignored: Vec<_> = ignored.map(|(name, _)| label(name)).collect();
    let verdict_ignored = !query.verdict.is_empty() && !parts.by_rule.is_empty();
    let shortened = || {
        let days = (parts.span.to.millis() - parts.span.from.millis()) / DAY_MS;
        let days = count(usize::try_from(days).unwrap_or_default(), "day", "days");
        format!("Only the last {days} of the range are counted.")
    };
    let notes = [
        (!ignored.is_empty())
            .then(|| format!("The counts do not apply these filters: {}.", ignored.join(", "))),
        verdict_ignored.then(|| "The counts of rules include every verdict.".to_owned()),
        parts.is_shortened.then(shortened),
        parts.is_behind.then(|| "The newest decisions are not counted yet.".to_owned()),
    ];
    notes.into_iter().flatten().collect()
}

/// A choice of a facet: its content, its number of decisions, its address, and whether it is the current filter.
struct Choice {
    content: AnyView,
    decisions: i64,
    href: String,
    is_current: bool,
}

/// Renders the verdicts, policies and violated rules with their counts. A link adds its filter, or removes the current
/// one.
pub(super) fn facets(path: &str, query: &DecisionQuery, parts: &DecisionListParts) -> AnyView {
    let choice = |name: &'static str, value: &str, current: &str, content: AnyView, decisions| {
        let is_current = value == current;
        let value = if is_current { "" } else { value };
        let mut others = vec![(name, value)];
        if name == "policy" {
            // A version belongs to its policy.
            others.push(("version", ""));
        }
        let href = url::with_other(path, &query.filters(), &others);
        Choice { content, decisions, href, is_current }
    };
    let verdicts = VERDICTS.map(|verdict| {
        let content = view! { <VerdictBadge verdict /> }.into_any();
        let counted = parts.verdicts.iter().filter(|(_, counted, _)| *counted == verdict);
        let decisions = counted.map(|(.., decisions)| decisions).sum();
        choice("verdict", verdict.as_str(), &query.verdict, content, decisions)
    });
    let policies = parts.by_policy.iter().map(|(id, name, decisions)| {
        let content = view! { <bdi>{name.clone()}</bdi> }.into_any();
        choice("policy", &id.to_string(), &query.policy, content, *decisions)
    });
    let rules = parts.by_rule.iter().map(|(code, violated)| {
        let content = view! { <bdi class="font-mono">{code.clone()}</bdi> }.into_any();
        choice("rule", code, &query.rule, content, *violated)
    });
    view! {
        <nav class="facets" aria-label="Narrow down">
            {facet("verdict", verdicts.into())}
            {facet("policy", policies.collect())}
            {facet("rule", rules.collect())}
        </nav>
    }
    .into_any()
}

/// Renders the choices of one filter, if there are any.
fn facet(parameter: &str, choices: Vec<Choice>) -> Option<AnyView> {
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
                <h2>{label(parameter)}</h2>
                <ul class="plain-list">{choices.into_iter().map(choice).collect_view()}</ul>
            </section>
        }
        .into_any()
    })
}

#[cfg(test)]
mod tests {
    use governance::deciding::decision::ActivityMark;

    use super::*;

    #[test]
    fn notes_name_the_filters_that_counts_do_not_apply() {
        let at = |text: &str| text.parse().unwrap();
        let span =
            Span { from: at("2026-11-13T09:00:00Z"), to: at("2026-11-20T10:00:00Z"), step_ms: 1 };
        let parts = DecisionListParts {
            span,
            is_shortened: true,
            is_behind: false,
            verdicts: Vec::new(),
            by_policy: Vec::new(),
            by_rule: vec![("A".to_owned(), 1)],
            policies: Vec::new(),
            saved_filters: Vec::new(),
            mark: ActivityMark::default(),
        };
        let mut query = DecisionQuery { policy: "p".to_owned(), ..DecisionQuery::default() };
        assert_eq!(notes(&parts, &query), ["Only the last 7 days of the range are counted."]);
        (query.verdict, query.actor, query.rule) = ("DENY".into(), "a".into(), "A".into());
        assert_eq!(
            notes(&parts, &query)[..2],
            [
                "The counts do not apply these filters: Violated rule, Actor ID.",
                "The counts of rules include every verdict."
            ]
        );
        query.chain = "c".to_owned();
        assert!(!has_counts(&query));
    }
}
