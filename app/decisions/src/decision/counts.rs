//! The counts of the decision list: a histogram above the rows, and links that add a filter. They are sums of hourly
//! counts, and apply only some of the filters.

use governance::insight::rollup::{Bucket, DecisionListParts, Span};
use page_kit::{
    list::VERDICTS,
    prelude::*,
    ui::chart::{Column, Part, each_bar, histogram, start, times},
};
use rules::rule::chart::log;

use super::filters::DecisionQuery;

/// Returns the columns of a span. The parts of verdicts that `filters` excludes are empty.
pub fn columns(
    tenant: TenantId,
    filters: &[(&str, &str)],
    span: Span,
    verdicts: &[(Bucket, Verdict, i64)],
) -> Vec<Column> {
    let selected = filters.iter().find(|(name, _)| *name == "verdict").map(|(_, value)| *value);
    let others = filters.iter().filter(|(name, _)| *name != "verdict");
    let others: Vec<_> = others.copied().collect();
    let column = |bucket: Bucket| {
        let part = |verdict: Verdict| {
            let is_counted = selected.is_none_or(|selected| selected == verdict.as_str());
            let counted = verdicts
                .iter()
                .find(|(own, counted, _)| is_counted && (*own, *counted) == (bucket, verdict));
            let filters = [&[("verdict", verdict.as_str())], &*others].concat();
            Part {
                verdict,
                decisions: counted.map_or(0, |(.., decisions)| *decisions),
                href: log(tenant, bucket.from, bucket.to, &filters),
            }
        };
        Column { from: start(span.step_ms, bucket.from), parts: Verdict::ALL.map(part).into() }
    };
    span.buckets().map(column).collect()
}

/// Returns whether the counts describe the list of `query`. A list of single decisions has no counts.
pub(super) fn has_counts(query: &DecisionQuery) -> bool {
    ["correlation", "chain", "key"].iter().all(|name| query.list.value(name).is_empty())
}

/// Renders the decisions of the counted time span as bars. Each part of a bar links to its decisions.
pub(super) fn list_histogram(
    tenant: TenantId,
    query: &DecisionQuery,
    parts: &DecisionListParts,
) -> AnyView {
    let Span { from, to, step_ms } = parts.span;
    let columns = columns(tenant, &query.values(), parts.span, &parts.verdicts);
    let caption = [each_bar(step_ms), notes(parts, query).join(" ")].join(" ");
    let times = times(step_ms, from, to);
    histogram("decisions", "Decisions over time", columns, times, caption).into_any()
}

/// Returns a sentence for each way in which the counts differ from the list of `query`.
fn notes(parts: &DecisionListParts, query: &DecisionQuery) -> Vec<String> {
    let applied = ["verdict", "policy", "version"];
    let ignored = query.list.set().into_iter().filter(|(_, name)| !applied.contains(name));
    let ignored: Vec<_> = ignored.map(|(label, _)| label).collect();
    let verdict_ignored = !query.list.value("verdict").is_empty() && !parts.by_rule.is_empty();
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
pub(super) fn facets(query: &DecisionQuery, parts: &DecisionListParts) -> AnyView {
    let choice = |name: &'static str, value: &str, content: AnyView, decisions| {
        let is_current = value == query.list.value(name);
        let value = if is_current { "" } else { value };
        let mut others = vec![(name, value)];
        if name == "policy" {
            // A version belongs to its policy.
            others.push(("version", ""));
        }
        let href = query.list.address(&others);
        Choice { content, decisions, href, is_current }
    };
    let verdicts = VERDICTS.map(|verdict| {
        let content = any_view! { <VerdictBadge verdict /> };
        let counted = parts.verdicts.iter().filter(|(_, counted, _)| *counted == verdict);
        let decisions = counted.map(|(.., decisions)| decisions).sum();
        choice("verdict", verdict.as_str(), content, decisions)
    });
    let policies = parts.by_policy.iter().map(|(id, name, decisions)| {
        let content = any_view! { <bdi>{name.clone()}</bdi> };
        choice("policy", &id.to_string(), content, *decisions)
    });
    let rules = parts.by_rule.iter().map(|(code, violated)| {
        let content = any_view! { <bdi class="font-mono">{code.clone()}</bdi> };
        choice("rule", code, content, *violated)
    });
    any_view! {
        <nav class="facets" aria-label="Narrow down">
            {facet("Verdict", verdicts.into())}
            {facet("Policy", policies.collect())}
            {facet("Violated rule", rules.collect())}
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
        any_view! {
            <section class="facet">
                <h2>{title}</h2>
                <ul class="plain-list">{choices.into_iter().map(choice).collect_view()}</ul>
            </section>
        }
    })
}

#[cfg(test)]
mod tests {
    use governance::deciding::decision::ActivityMark;

    use super::*;
    use crate::decision::filters::Suggestions;

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
        let read = |pairs: &[(&str, &str)]| {
            DecisionQuery::read("/d".to_owned(), Suggestions::default(), |name| {
                let value = pairs.iter().find(|(own, _)| *own == name);
                value.map_or_else(String::new, |(_, value)| (*value).to_owned())
            })
        };
        let shortened = ["Only the last 7 days of the range are counted."];
        assert_eq!(notes(&parts, &read(&[("policy", "p")])), shortened);
        let query = read(&[("verdict", "DENY"), ("actor", "a"), ("rule", "A")]);
        assert_eq!(
            notes(&parts, &query)[..2],
            [
                "The counts do not apply these filters: Violated rule, Actor ID.",
                "The counts of rules include every verdict."
            ]
        );
        assert!(has_counts(&query) && !has_counts(&read(&[("chain", "c")])));
    }
}
