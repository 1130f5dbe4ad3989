//! The four charts of the overview, computed from the counts.

use contract::{evaluation::Verdict, id::TenantId};
use governance::insight::rollup::{Bucket, CHANGES_MAX, Overview, PolicyChange, RuleCounts, Span};
use leptos::prelude::*;

use super::Page;
use crate::{
    overview::words::chart as strings,
    rule::load::{self as rule_load, RuleRow, log, start, times},
    text::{query::DecisionQuery, url},
    ui::chart::{Bars, Column, Line, Mark, Part, Point, bars, card, lines, percent},
};

impl Page {
    pub(super) fn charts(&self, current_totals: AnyView) -> AnyView {
        let (tenant, overview) = (self.tenant, &self.overview);
        let shadow = overview.verdicts.iter().any(|count| count.is_shadow);
        let shadow = shadow.then(|| self.verdicts(true));
        view! {
            {self.verdicts(false)}
            {shadow}
            <div class="charts">
                <div class="stack">{violated(tenant, overview)} {current_totals}</div>
                <div class="stack">{self.latency()} {overridden(tenant, overview)}</div>
            </div>
        }
        .into_any()
    }

    fn verdicts(&self, is_shadow: bool) -> AnyView {
        let span = self.overview.span;
        let column = |bucket: Bucket| {
            let part = |verdict: Verdict| {
                let counted = self.overview.verdicts.iter().find(|count| {
                    (count.bucket, count.verdict, count.is_shadow) == (bucket, verdict, is_shadow)
                });
                Part {
                    verdict,
                    decisions: counted.map_or(0, |count| count.decisions),
                    href: self.list(bucket.from, bucket.to, verdict.as_str()),
                }
            };
            Column { from: start(span.step_ms, bucket.from), parts: Verdict::ALL.map(part).into() }
        };
        let (name, title) = if is_shadow {
            ("shadow", strings::SHADOW_VERDICTS)
        } else {
            ("verdicts", strings::VERDICTS)
        };
        let note = match (is_shadow, self.policy) {
            (false, _) => "",
            (true, None) => strings::SHADOW_NOTE,
            (true, Some(_)) => strings::SHADOW_NOTE_OF_POLICY,
        };
        let each_bar = strings::each_bar(span.step_ms);
        let list = |verdict: Verdict| self.list(span.from, span.to, verdict.as_str());
        let changes = i64::try_from(self.overview.changes.len()).unwrap_or(i64::MAX);
        let has_more_changes = changes >= CHANGES_MAX;
        bars(Bars {
            name,
            title,
            caption: if note.is_empty() { each_bar } else { format!("{note} {each_bar}") },
            columns: span.buckets().map(column).collect(),
            times: times(span.step_ms, span.from, span.to),
            lists: Verdict::ALL.map(list),
            is_share: self.is_share,
            // One switch for both charts.
            units: (!is_shadow).then(|| self.units.clone()),
            marks: if is_shadow { Vec::new() } else { self.marks() },
            note: (!is_shadow && has_more_changes).then_some(strings::MANY_CHANGES),
        })
    }

    /// Returns the activations and deactivations, oldest first.
    fn marks(&self) -> Vec<Mark> {
        let span = self.overview.span;
        let drawn_ms = i64::try_from(span.buckets().count()).unwrap_or(1) * span.step_ms;
        let mark = |change: &PolicyChange| Mark {
            position: percent(change.at.millis() - span.from.millis(), drawn_ms),
            time: start(0, change.at),
            name: change.policy_name.clone(),
            href: url::policy(self.tenant, change.policy_id),
            text: strings::change(change.version, change.by.as_deref()),
        };
        self.overview.changes.iter().rev().map(mark).collect()
    }

    /// Renders the evaluation times. A decision has one, and none of its policies has its own.
    fn latency(&self) -> AnyView {
        let (overview, span) = (&self.overview, self.overview.span);
        if self.policy.is_some() {
            let reason = view! { <p>{strings::NO_LATENCY_OF_POLICY}</p> }.into_any();
            return card(strings::LATENCY, String::new(), None, reason);
        }
        let total: i64 = overview.latency.iter().map(|bucket| bucket.decisions).sum();
        let line = Line {
            buckets: i64::try_from(span.buckets().count()).unwrap_or(1),
            total: strings::decisions(usize::try_from(total).unwrap_or_default()),
            times: times(span.step_ms, span.from, span.to),
        };
        let point = |timed: &governance::insight::rollup::Latency| Point {
            index: (timed.bucket.from.millis() - span.from.millis()) / span.step_ms,
            from: start(span.step_ms, timed.bucket.from),
            values: [timed.p50, timed.p95, timed.p99],
            decisions: timed.decisions,
            href: self.list(timed.bucket.from, timed.bucket.to, ""),
        };
        lines(line, overview.latency.iter().map(point).collect())
    }
}

fn rule_row(tenant: TenantId, span: Span, rule: &RuleCounts) -> RuleRow {
    let query = DecisionQuery {
        policy: rule.policy_id.to_string(),
        rule: rule.rule_code.clone(),
        ..DecisionQuery::default()
    };
    RuleRow {
        rule: rule.rule_code.clone(),
        policy: Some(policy(rule)),
        is_shadow: rule.is_shadow,
        considered: rule.evaluated + rule.na,
        violated: rule.violated,
        na: rule.na,
        outcomes: rule.outcomes,
        overridden: rule.overridden,
        href: log(tenant, span.from, span.to, query),
    }
}

fn policy(rule: &RuleCounts) -> String {
    format!("{} v{}", rule.policy_name, rule.version)
}

fn violated(tenant: TenantId, overview: &Overview) -> AnyView {
    let rules =
        overview.violated.iter().map(|rule| rule_row(tenant, overview.span, rule)).collect();
    let (total, never) = (overview.totals.violations, never_applied(overview));
    rule_load::violated(strings::VIOLATED, rules, total, strings::NO_VIOLATIONS, never)
}

/// Renders the rules that never applied: a gate that never matches can be an error.
fn never_applied(overview: &Overview) -> Option<AnyView> {
    let rule = |rule: &RuleCounts| {
        view! {
            <li>
                <bdi class="font-mono">{rule.rule_code.clone()}</bdi>
                " "
                <bdi class="text-muted">{policy(rule)}</bdi>
                " "
                <span class="text-muted">
                    {strings::decisions(usize::try_from(rule.na).unwrap_or_default())}
                </span>
            </li>
        }
    };
    let rules: Vec<_> = overview.never_applied.iter().map(rule).collect();
    (!rules.is_empty()).then(|| {
        view! {
            <h3>{strings::NEVER_APPLIED}</h3>
            <ul class="plain-list">{rules}</ul>
        }
        .into_any()
    })
}

fn overridden(tenant: TenantId, overview: &Overview) -> AnyView {
    let rules =
        overview.overridden.iter().map(|rule| rule_row(tenant, overview.span, rule)).collect();
    rule_load::overridden(rules, overview.totals.outcomes)
}
