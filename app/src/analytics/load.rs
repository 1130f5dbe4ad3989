//! The charts of one policy, rendered as HTML on the server, so the browser needs no chart code.

use std::cmp::Reverse;

use contract::{
    analytics::{Analytics, BucketSize, RuleAnalytics, VerdictBucket},
    evaluation::Verdict,
    id::{PolicyId, TenantId},
    time::{DAY_MS, Timestamp},
};
use governance::{Cx, authoring::policy, insight::rollup};
use leptos::prelude::*;

use crate::{
    overview::{
        load::{note, ranges},
        view::{OverviewQuery, SHARE},
        words::{chart as strings, figure},
    },
    problem::Problem,
    request::into_problem,
    rule::load::{self as rule_load, RuleRow, log, start, times},
    text::{
        number::{exact_rate, rate, whole},
        query::{DecisionQuery, ListQuery as _},
        url,
    },
    ui::chart::{Bars, Column, KeyFigure, Part, bars, figures, to_float},
};

/// Returns the name of the policy, and the ranges and its charts as HTML. An invalid range returns a message instead
/// of charts.
pub(crate) async fn read(
    cx: &Cx,
    tenant: TenantId,
    id: PolicyId,
    query: &OverviewQuery,
) -> Result<(String, String, String), Problem> {
    let name = into_problem(policy::read(cx, id, None).await)?.name;
    let ranges = ranges(&url::analytics(tenant, id), query).to_html();
    let Some((from, to, size)) = span(query, cx.now) else {
        let error = note(strings::BAD_RANGE, "alert");
        return Ok((name, ranges, error.to_html()));
    };
    let analytics = match rollup::analytics(cx, id, Some(from), Some(to), size).await {
        Err(error) if error.status() == 422 => {
            let error = note(strings::LONG_RANGE, "alert");
            return Ok((name, ranges, error.to_html()));
        }
        analytics => into_problem(analytics)?,
    };
    let behind = (!analytics.is_complete).then(|| note(strings::INCOMPLETE, "status"));
    Ok((name, ranges, (behind, charts(tenant, &analytics, query)).to_html()))
}

/// Returns the range and its bucket size: hours for one day, days otherwise. A partial day at the start is
/// left out, so that a week has seven days.
fn span(query: &OverviewQuery, now: Timestamp) -> Option<(Timestamp, Timestamp, BucketSize)> {
    let (from, to) = query.ends(now)?;
    Some(match query.range.as_str() {
        "24h" => (from, to, BucketSize::Hour),
        _ => (from.plus_millis(DAY_MS - 1), to, BucketSize::Day),
    })
}

/// Renders the key figures. A rate without decisions or outcomes is a dash.
fn key_figures(tenant: TenantId, analytics: &Analytics) -> AnyView {
    let denied =
        |bucket: &VerdictBucket| bucket.verdicts.get(&Verdict::Deny).copied().unwrap_or_default();
    let decisions: i64 = analytics.buckets.iter().map(|bucket| bucket.decisions).sum();
    let all_denied: i64 = analytics.buckets.iter().map(denied).sum();
    let outcomes: i64 = analytics.rules.iter().map(|rule| rule.outcomes).sum();
    let overridden: i64 = analytics.rules.iter().map(|rule| rule.overridden).sum();
    let or_none = |rate: String, of: i64| if of > 0 { rate } else { figure::NONE.to_owned() };
    figures(vec![
        KeyFigure {
            label: figure::DECISIONS,
            number: whole(decisions),
            trend: figure::ANY_VERSION.to_owned(),
            href: Some(list(tenant, analytics, "")),
            values: analytics.buckets.iter().map(|bucket| to_float(bucket.decisions)).collect(),
        },
        KeyFigure {
            label: figure::DENY_RATE,
            number: or_none(exact_rate(all_denied, decisions), decisions),
            trend: figure::decisions_of(all_denied, decisions),
            href: Some(list(tenant, analytics, Verdict::Deny.as_str())),
            values: analytics
                .buckets
                .iter()
                .map(|bucket| to_float(denied(bucket)) / to_float(bucket.decisions.max(1)))
                .collect(),
        },
        KeyFigure {
            label: figure::OVERRIDE_RATE,
            number: or_none(rate(overridden, outcomes), outcomes),
            trend: figure::outcomes_of(overridden, outcomes),
            href: None,
            values: Vec::new(),
        },
    ])
}

/// Returns the address of the counted decisions with a verdict; an empty verdict means all.
fn list(tenant: TenantId, analytics: &Analytics, verdict: &str) -> String {
    let query = DecisionQuery {
        policy: analytics.policy_id.to_string(),
        verdict: verdict.into(),
        ..DecisionQuery::default()
    };
    log(tenant, analytics.from, analytics.to, query)
}

fn charts(tenant: TenantId, analytics: &Analytics, query: &OverviewQuery) -> AnyView {
    view! {
        {key_figures(tenant, analytics)}
        {verdicts(tenant, analytics, query)}
        <div class="charts">
            <div class="stack">{violated(tenant, analytics)}</div>
            <div class="stack">{overridden(tenant, analytics)}</div>
        </div>
    }
    .into_any()
}

fn verdicts(tenant: TenantId, analytics: &Analytics, query: &OverviewQuery) -> AnyView {
    let page = url::analytics(tenant, analytics.policy_id);
    let step_ms = analytics.bucket.millis();
    let column = |bucket: &VerdictBucket| {
        let part = |verdict: Verdict| {
            let query = DecisionQuery {
                policy: analytics.policy_id.to_string(),
                verdict: verdict.as_str().into(),
                ..DecisionQuery::default()
            };
            Part {
                verdict,
                decisions: bucket.verdicts.get(&verdict).copied().unwrap_or_default(),
                href: log(tenant, bucket.from, bucket.to, query),
            }
        };
        Column { from: start(step_ms, bucket.from), parts: Verdict::ALL.map(part).into() }
    };
    let columns = analytics.buckets.iter().map(column).collect();
    let caption = format!("{} {}", strings::ALL_VERSIONS, strings::each_bar(step_ms));
    let times = times(step_ms, analytics.from, analytics.to);
    bars(Bars {
        name: "verdicts",
        title: strings::VERDICTS,
        caption,
        columns,
        times,
        lists: Verdict::ALL.map(|verdict| list(tenant, analytics, verdict.as_str())),
        is_share: query.is_share(),
        units: Some(["", SHARE].map(|unit| query.filtered(&page, "unit", unit))),
        marks: Vec::new(),
        note: None,
    })
}

fn rule_row(tenant: TenantId, analytics: &Analytics, rule: &RuleAnalytics) -> RuleRow {
    let query = DecisionQuery {
        policy: analytics.policy_id.to_string(),
        rule: rule.rule_code.clone(),
        ..DecisionQuery::default()
    };
    RuleRow {
        rule: rule.rule_code.clone(),
        policy: None,
        is_shadow: false,
        considered: rule.evaluated + rule.na,
        violated: rule.violated,
        na: rule.na,
        outcomes: rule.outcomes,
        overridden: rule.overridden,
        href: log(tenant, analytics.from, analytics.to, query),
    }
}

/// Renders all rules, the most violated first, including rules that never apply.
fn violated(tenant: TenantId, analytics: &Analytics) -> AnyView {
    let mut rules: Vec<_> = analytics.rules.iter().collect();
    rules.sort_by_key(|rule| Reverse(rule.violated));
    let total = rules.iter().map(|rule| rule.violated).sum();
    let rules = rules.into_iter().map(|rule| rule_row(tenant, analytics, rule)).collect();
    rule_load::violated(strings::RULES, rules, total, strings::NONE, None)
}

/// Renders the rules with known outcomes, the most overridden first.
fn overridden(tenant: TenantId, analytics: &Analytics) -> AnyView {
    let mut rules: Vec<_> = analytics.rules.iter().filter(|rule| rule.outcomes > 0).collect();
    rules.sort_by_key(|rule| Reverse(rule.overridden));
    let total = rules.iter().map(|rule| rule.outcomes).sum();
    let rules = rules.into_iter().map(|rule| rule_row(tenant, analytics, rule)).collect();
    rule_load::overridden(rules, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_has_seven_days_at_any_time_of_day() {
        for now in ["2026-11-20T09:30:00Z", "2026-11-20T00:00:00Z", "2026-11-20T23:59:59Z"] {
            let query = OverviewQuery { range: "7d".into(), ..OverviewQuery::default() };
            let (from, to, size) = span(&query, now.parse().unwrap()).unwrap();
            let day = |at: Timestamp| at.millis().div_euclid(DAY_MS);
            let days = day(to.plus_millis(DAY_MS - 1)) - day(from);
            assert_eq!((days, size), (7, BucketSize::Day), "{now}");
        }
    }
}
