//! The key figures of the overview, computed from the counts.

use contract::{evaluation::Verdict, id::TenantId, scope::Right};
use governance::{
    Cx,
    insight::{
        inbox,
        rollup::{Bucket, Overview},
    },
    notify::alert,
};
use leptos::prelude::*;

use super::super::{into_problem, rules::log};
use crate::{
    markup::chart::{self, KeyFigure},
    problem::Problem,
    text::{
        messages::overview::figure as strings,
        number::{counted, exact_rate, milliseconds, tenths, whole},
        url,
    },
    view::query::DecisionQuery,
};

/// Returns the key figures. Only roles that can act have items that need their action.
pub(super) async fn all(
    cx: &Cx,
    tenant: TenantId,
    overview: &Overview,
) -> Result<AnyView, Problem> {
    let span = overview.span;
    let period_ms = span.to.millis() - span.from.millis();
    let before = span.from.plus_millis(-period_ms);
    let mut figures = Vec::new();
    if cx.role().is_some_and(|role| role.has(Right::Operate)) {
        let since = into_problem(inbox::actionable_since(cx).await)?;
        let count = |from, to| since.iter().filter(|at| (from..to).contains(*at)).count() as u64;
        let (now, previous) = (count(span.from, span.to), count(before, span.from));
        figures.push(KeyFigure {
            label: strings::NEEDS_ACTION,
            number: counted(since.len() as u64),
            trend: strings::new_items(now, previous, period_ms),
            href: Some(url::inbox(tenant)),
            values: Vec::new(),
        });
    }
    let alerts = into_problem(alert::totals(cx, [before, span.from, span.to]).await)?;
    let (open, now, previous) = alerts;
    figures.push(KeyFigure {
        label: strings::OPEN_ALERTS,
        number: counted(open),
        trend: strings::new_items(now, previous, period_ms),
        href: Some(url::alerts(tenant)),
        values: Vec::new(),
    });
    figures.extend(of_decisions(tenant, overview, period_ms));
    Ok(chart::figures(figures))
}

/// Returns the key figures of the range. A number without decisions is a dash.
fn of_decisions(tenant: TenantId, overview: &Overview, period_ms: i64) -> [KeyFigure; 3] {
    let (span, period, previous) = (overview.span, overview.period, overview.previous_period);
    let list = |verdict: &str| {
        let query = DecisionQuery { verdict: verdict.into(), ..DecisionQuery::default() };
        Some(log(tenant, span.from, span.to, query))
    };
    let counts: Vec<[f64; 2]> = span.buckets().map(|bucket| counts(overview, bucket)).collect();
    let [now, before] = [period, previous].map(|totals| (totals.decisions > 0).then_some(totals));
    let [rate_now, rate_before] =
        [now, before].map(|totals| totals.map(|totals| tenths(totals.denied, totals.decisions)));
    let [decisions_now, decisions_before] =
        [now, before].map(|totals| totals.map(|totals| chart::to_float(totals.decisions)));
    let rate = now.map(|totals| exact_rate(totals.denied, totals.decisions));
    let p95 = period.p95.map(|ms| format!("{} ms", milliseconds(ms)));
    let or_none = |number: Option<String>| number.unwrap_or_else(|| strings::NONE.to_owned());
    [
        KeyFigure {
            label: strings::DENY_RATE,
            number: or_none(rate),
            trend: strings::points(rate_now, rate_before, period_ms),
            href: list(Verdict::Deny.as_str()),
            values: counts.iter().map(|[all, denied]| denied / all.max(1.0)).collect(),
        },
        KeyFigure {
            label: strings::DECISIONS,
            number: whole(period.decisions),
            trend: strings::change(decisions_now, decisions_before, period_ms),
            href: list(""),
            values: counts.iter().map(|[all, _]| *all).collect(),
        },
        KeyFigure {
            label: strings::P95,
            number: or_none(p95),
            trend: strings::change(period.p95, previous.p95, period_ms),
            href: None,
            values: overview.latency.iter().map(|bucket| bucket.p95).collect(),
        },
    ]
}

/// Returns the numbers of decisions and of denied decisions of a bucket, without those in shadow mode.
fn counts(overview: &Overview, bucket: Bucket) -> [f64; 2] {
    let counted =
        overview.verdicts.iter().filter(|count| count.bucket == bucket && !count.is_shadow);
    counted.fold([0.0; 2], |[all, denied], count| {
        let decisions = chart::to_float(count.decisions);
        [all + decisions, if count.verdict == Verdict::Deny { denied + decisions } else { denied }]
    })
}
