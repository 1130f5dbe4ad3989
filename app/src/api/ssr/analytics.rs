//! How one policy fares, drawn as HTML: the browser gets the charts and no code for them.

use std::cmp::Reverse;

use contract::{
    analytics::{Analytics, BucketSize, RuleAnalytics, VerdictBucket},
    evaluation::Verdict,
    id::{PolicyId, TenantId},
    time::{DAY_MS, Timestamp},
};
use governance::{Cx, policy, rollup};
use leptos::prelude::*;

use super::{
    answer,
    overview::{note, ranges},
    rules::{self, Fared, log, start},
};
use crate::{
    problem::Problem,
    text::{url, words::overview::chart as say},
    ui::chart::{Column, Part, bars},
    view::{overview::OverviewQuery, query::DecisionQuery},
};

/// The name of the policy, and its charts. A range that is none shows no charts, and says so.
pub(in crate::api) async fn read(
    cx: &Cx,
    tenant: TenantId,
    id: PolicyId,
    query: &OverviewQuery,
) -> Result<(String, String), Problem> {
    let name = answer(policy::read(cx, id, None).await)?.name;
    let ranges = ranges(&url::analytics(tenant, id), query);
    let Some((from, to, size)) = span(query, cx.now) else {
        let fault = note(say::BAD_RANGE, "alert");
        return Ok((name, (ranges, fault).to_html()));
    };
    let counted = match rollup::analytics(cx, id, Some(from), Some(to), size).await {
        Err(error) if error.status() == 422 => {
            let fault = note(say::LONG_RANGE, "alert");
            return Ok((name, (ranges, fault).to_html()));
        }
        counted => answer(counted)?,
    };
    let behind = (!counted.is_complete).then(|| note(say::BEHIND, "status"));
    Ok((name, (ranges, behind, charts(tenant, &counted)).to_html()))
}

/// A day is shown by the hour, all else by the day. A part of a day at the start is left out, so that
/// a week is seven days.
fn span(query: &OverviewQuery, now: Timestamp) -> Option<(Timestamp, Timestamp, BucketSize)> {
    let (from, to) = query.ends(now)?;
    Some(match query.range.as_str() {
        "24h" => (from, to, BucketSize::Hour),
        _ => (from.plus_millis(DAY_MS - 1), to, BucketSize::Day),
    })
}

fn charts(tenant: TenantId, counted: &Analytics) -> AnyView {
    view! {
        <div class="charts">
            <div class="stack">
                {verdicts(tenant, counted)}
                {overridden(tenant, counted)}
            </div>
            <div class="stack">{violated(tenant, counted)}</div>
        </div>
    }
    .into_any()
}

fn verdicts(tenant: TenantId, counted: &Analytics) -> AnyView {
    let step_ms = counted.bucket.millis();
    let column = |bucket: &VerdictBucket| {
        let part = |verdict: Verdict| {
            let query = DecisionQuery {
                policy: counted.policy_id.to_string(),
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
    let columns = counted.buckets.iter().map(column).collect();
    let caption = format!("{} {}", say::ALL_VERSIONS, say::each_bar(step_ms));
    bars("verdicts", say::VERDICTS, caption, columns, start(step_ms, counted.to))
}

/// A rule, with the log of the decisions that violate it.
fn fared(tenant: TenantId, counted: &Analytics, rule: &RuleAnalytics) -> Fared {
    let query = DecisionQuery {
        policy: counted.policy_id.to_string(),
        rule: rule.rule_code.clone(),
        ..DecisionQuery::default()
    };
    Fared {
        rule: rule.rule_code.clone(),
        policy: None,
        is_shadow: false,
        looked: rule.evaluated + rule.na,
        violated: rule.violated,
        na: rule.na,
        outcomes: rule.outcomes,
        overridden: rule.overridden,
        href: log(tenant, counted.from, counted.to, query),
    }
}

/// Every rule, the most violated first: one that never applies is a finding too.
fn violated(tenant: TenantId, counted: &Analytics) -> AnyView {
    let mut rules: Vec<_> = counted.rules.iter().collect();
    rules.sort_by_key(|rule| Reverse(rule.violated));
    let total = rules.iter().map(|rule| rule.violated).sum();
    let rules = rules.into_iter().map(|rule| fared(tenant, counted, rule)).collect();
    rules::violated(say::RULES, rules, total, say::NONE, None)
}

/// The rules of whose violations an outcome is known, the most overridden first.
fn overridden(tenant: TenantId, counted: &Analytics) -> AnyView {
    let mut rules: Vec<_> = counted.rules.iter().filter(|rule| rule.outcomes > 0).collect();
    rules.sort_by_key(|rule| Reverse(rule.overridden));
    let total = rules.iter().map(|rule| rule.outcomes).sum();
    let rules = rules.into_iter().map(|rule| fared(tenant, counted, rule)).collect();
    rules::overridden(rules, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_is_seven_days_whatever_the_hour() {
        for now in ["2026-11-20T09:30:00Z", "2026-11-20T00:00:00Z", "2026-11-20T23:59:59Z"] {
            let query = OverviewQuery { range: "7d".into(), ..OverviewQuery::default() };
            let (from, to, size) = span(&query, now.parse().unwrap()).unwrap();
            let day = |at: Timestamp| at.millis().div_euclid(DAY_MS);
            let days = day(to.plus_millis(DAY_MS - 1)) - day(from);
            assert_eq!((days, size), (7, BucketSize::Day), "{now}");
        }
    }
}
