//! The four charts, from the counts.

use contract::{
    evaluation::Verdict,
    id::TenantId,
    time::{DAY_MS, Timestamp},
};
use governance::rollup::{Bucket, Overview, RuleCounts, Span};
use leptos::prelude::*;

use crate::{
    text::{
        number::{rate, whole},
        time, url,
        words::overview::chart as say,
    },
    ui::chart::{
        Cell, Column, Line, Part, Point, Rate, bars, card, lines, rates as rate_bars, table,
    },
    view::query::DecisionQuery,
};

/// How many outcomes a rate needs to say anything.
const OUTCOMES_MIN: i64 = 5;

/// All charts, with what stands at this moment.
pub(super) fn all(tenant: TenantId, overview: &Overview, standing: AnyView) -> AnyView {
    let shadow = overview.verdicts.iter().any(|count| count.is_shadow);
    let shadow = shadow.then(|| verdicts(tenant, overview, true));
    view! {
        <div class="charts">
            <div class="stack">
                {verdicts(tenant, overview, false)}
                {shadow}
                {latency(tenant, overview)}
                {overridden(tenant, overview)}
                {standing}
            </div>
            <div class="stack">{violated(tenant, overview)}</div>
        </div>
    }
    .into_any()
}

/// The log of a part of the range, under the other filters of `query`.
fn log(tenant: TenantId, part: Bucket, query: DecisionQuery) -> String {
    let text = |at: Timestamp| at.to_string().trim_end_matches('Z').to_owned();
    let (from, to) = (text(part.from), text(part.to.plus_millis(-1)));
    DecisionQuery { from, to, ..query }.address(&url::decisions(tenant), "")
}

/// Where a bucket starts, in words: with the clock, when buckets are shorter than a day.
fn start(span: Span, at: Timestamp) -> String {
    let words = time::minute(at);
    let words = words.trim_end_matches(" UTC");
    let day = words.rsplit_once(' ').filter(|_| span.step_ms >= DAY_MS).map(|(day, _)| day);
    day.unwrap_or(words).to_owned()
}

fn verdicts(tenant: TenantId, overview: &Overview, is_shadow: bool) -> AnyView {
    let span = overview.span;
    let column = |bucket: Bucket| {
        let part = |verdict: Verdict| {
            let counted = overview.verdicts.iter().find(|count| {
                (count.bucket, count.verdict, count.is_shadow) == (bucket, verdict, is_shadow)
            });
            let query = DecisionQuery { verdict: verdict.as_str().into(), ..Default::default() };
            Part {
                verdict,
                decisions: counted.map_or(0, |count| count.decisions),
                href: log(tenant, bucket, query),
            }
        };
        Column { from: start(span, bucket.from), parts: Verdict::ALL.map(part).into() }
    };
    let columns = span.buckets().map(column).collect();
    let (name, title) =
        if is_shadow { ("shadow", say::SHADOW_VERDICTS) } else { ("verdicts", say::VERDICTS) };
    let mut caption = say::each_bar(span.step_ms);
    if is_shadow {
        caption = format!("{} {caption}", say::SHADOW_SAY);
    }
    bars(name, title, caption, columns, start(span, span.to))
}

fn latency(tenant: TenantId, overview: &Overview) -> AnyView {
    let span = overview.span;
    let total: i64 = overview.latency.iter().map(|bucket| bucket.decisions).sum();
    let line = Line {
        buckets: i64::try_from(span.buckets().count()).unwrap_or(1),
        total: say::decisions(usize::try_from(total).unwrap_or_default()),
        ends: [start(span, span.from), start(span, span.to)],
    };
    let point = |timed: &governance::rollup::Latency| Point {
        place: (timed.bucket.from.millis() - span.from.millis()) / span.step_ms,
        from: start(span, timed.bucket.from),
        values: [timed.p50, timed.p95, timed.p99],
        decisions: timed.decisions,
        href: log(tenant, timed.bucket, DecisionQuery::default()),
    };
    lines(line, overview.latency.iter().map(point).collect())
}

/// The log of the decisions of the range that violate a rule.
fn of_rule(tenant: TenantId, span: Span, rule: &RuleCounts) -> String {
    let query = DecisionQuery {
        policy: rule.policy_id.to_string(),
        rule: rule.rule_code.clone(),
        ..DecisionQuery::default()
    };
    log(tenant, Bucket { from: span.from, to: span.to }, query)
}

fn policy(rule: &RuleCounts) -> String {
    format!("{} v{}", rule.policy_name, rule.version)
}

fn violated(tenant: TenantId, overview: &Overview) -> AnyView {
    let span = overview.span;
    let mut shown = Vec::new();
    let mut rows = Vec::new();
    for rule in &overview.violated {
        let (looked, href) = (rule.evaluated + rule.na, of_rule(tenant, span, rule));
        let (share, na) = (rate(rule.violated, looked), rate(rule.na, looked));
        rows.push(vec![
            Cell::from(rule.rule_code.clone()).leads(href.clone()),
            policy(rule).into(),
            rule.violated.into(),
            looked.into(),
            share.clone().into(),
            na.clone().into(),
        ]);
        shown.push(Rate {
            rule: rule.rule_code.clone(),
            policy: policy(rule),
            is_shadow: rule.is_shadow,
            said: say::violated(&share, &whole(rule.violated), &whole(looked), &na),
            bar: Some((rule.violated, looked)),
            href,
        });
    }
    let content = if shown.is_empty() {
        view! { <p>{say::NO_VIOLATIONS}</p> }.into_any()
    } else {
        view! {
            {rate_bars("violated", shown)}
            {table(say::VIOLATED, &say::VIOLATED_HEAD, rows)}
        }
        .into_any()
    };
    let content = view! {
        {content}
        {never_applied(overview)}
    };
    let total = say::violations(usize::try_from(overview.totals.0).unwrap_or_default());
    card(say::VIOLATED, total, None, content.into_any())
}

/// Rules that never applied: a gate that nothing meets is a finding.
fn never_applied(overview: &Overview) -> Option<AnyView> {
    let rule = |rule: &RuleCounts| {
        view! {
            <li>
                <bdi class="font-mono">{rule.rule_code.clone()}</bdi>
                " "
                <bdi class="text-muted">{policy(rule)}</bdi>
                " "
                <span class="text-muted">{say::decisions(usize::try_from(rule.na).unwrap_or_default())}</span>
            </li>
        }
    };
    let rules: Vec<_> = overview.never_applied.iter().map(rule).collect();
    (!rules.is_empty()).then(|| {
        view! {
            <h3>{say::NEVER_APPLIED}</h3>
            <ul class="plain-list">{rules}</ul>
        }
        .into_any()
    })
}

fn overridden(tenant: TenantId, overview: &Overview) -> AnyView {
    let span = overview.span;
    let mut shown = Vec::new();
    let mut rows = Vec::new();
    for rule in &overview.overridden {
        let enough = rule.outcomes >= OUTCOMES_MIN;
        let known = enough.then(|| rate(rule.overridden, rule.outcomes));
        let numbers = [rule.overridden, rule.outcomes, rule.violated];
        let [overridden, outcomes, violated] = numbers.map(whole);
        let href = of_rule(tenant, span, rule);
        shown.push(Rate {
            rule: rule.rule_code.clone(),
            policy: policy(rule),
            is_shadow: rule.is_shadow,
            said: say::overridden(known.as_deref(), &overridden, &outcomes, &violated),
            bar: enough.then_some((rule.overridden, rule.outcomes)),
            href: href.clone(),
        });
        let mut row =
            vec![Cell::from(rule.rule_code.clone()).leads(href), Cell::from(policy(rule))];
        row.extend(numbers.map(Cell::from));
        row.push(known.unwrap_or_else(|| "–".to_owned()).into());
        rows.push(row);
    }
    let content = if shown.is_empty() {
        view! { <p>{say::NO_OUTCOMES}</p> }.into_any()
    } else {
        view! {
            {rate_bars("overridden", shown)}
            {table(say::OVERRIDES, &say::OVERRIDES_HEAD, rows)}
        }
        .into_any()
    };
    let total = say::outcomes(usize::try_from(overview.totals.1).unwrap_or_default());
    card(say::OVERRIDES, total, Some(say::OVERRIDES_SAY.to_owned()), content)
}
