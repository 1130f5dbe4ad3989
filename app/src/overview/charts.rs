//! The four charts of the overview, computed from the counts.

use governance::insight::rollup::{Bucket, CHANGES_MAX, Overview, PolicyChange, RuleCounts, Span};
use page_kit::{
    prelude::*,
    ui::chart::{
        Bars, Column, LATENCY, Line, Mark, Part, Point, bars, card, change, decisions, each_bar,
        lines, percent, start, times,
    },
};
use rules::rule::chart::{self as rule_chart, RuleRow, log};

use super::{Charts, VERDICTS};

impl Charts<'_> {
    pub(super) fn charts(&self, current_totals: AnyView) -> AnyView {
        let (tenant, overview) = (self.tenant, &self.overview);
        let shadow = overview.verdicts.iter().any(|count| count.is_shadow);
        let shadow = shadow.then(|| self.verdicts(true));
        any_view! {
            {self.verdicts(false)}
            {shadow}
            <div class="charts">
                <div class="stack">{violated(tenant, overview)} {current_totals}</div>
                <div class="stack">{self.latency()} {overridden(tenant, overview)}</div>
            </div>
        }
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
        let (name, title) =
            if is_shadow { ("shadow", "Verdicts in shadow mode") } else { ("verdicts", VERDICTS) };
        let note = match (is_shadow, self.policy) {
            (false, _) => "",
            (true, None) => "All evaluated policies were in shadow mode.",
            (true, Some(_)) => "The policy was in shadow mode.",
        };
        let each_bar = each_bar(span.step_ms);
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
            is_share: self.query.is_share(),
            // One switch for both charts.
            units: (!is_shadow).then(|| self.query.units()),
            marks: if is_shadow { Vec::new() } else { self.marks() },
            note: (!is_shadow && has_more_changes)
                .then_some("Only the newest 10 changes are marked."),
        })
    }

    /// Returns the activations and deactivations, oldest first.
    fn marks(&self) -> Vec<Mark> {
        let span = self.overview.span;
        let drawn_ms = i64::try_from(span.buckets().count()).unwrap_or(1) * span.step_ms;
        let mark = |changed: &PolicyChange| Mark {
            position: percent(changed.at.millis() - span.from.millis(), drawn_ms),
            time: start(0, changed.at),
            name: changed.policy_name.clone(),
            href: url::policy(self.tenant, changed.policy_id),
            text: change(changed.version, changed.by.as_deref()),
        };
        self.overview.changes.iter().rev().map(mark).collect()
    }

    /// Renders the evaluation times. A decision has one, and none of its policies has its own.
    fn latency(&self) -> AnyView {
        let (overview, span) = (&self.overview, self.overview.span);
        if self.policy.is_some() {
            let reason = any_view! {
                <p>
                    "The evaluation time is measured for a whole decision, not for one of its policies. Clear the policy filter to see it."
                </p>
            };
            return card(LATENCY, String::new(), None, reason);
        }
        let total: i64 = overview.latency.iter().map(|bucket| bucket.decisions).sum();
        let line = Line {
            buckets: i64::try_from(span.buckets().count()).unwrap_or(1),
            total: decisions(total),
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
    let filters = [("policy", &*rule.policy_id.to_string()), ("rule", &rule.rule_code)];
    RuleRow {
        rule: rule.rule_code.clone(),
        policy: Some(policy(rule)),
        is_shadow: rule.is_shadow,
        considered: rule.evaluated + rule.na,
        violated: rule.violated,
        na: rule.na,
        outcomes: rule.outcomes,
        overridden: rule.overridden,
        href: log(tenant, span.from, span.to, &filters),
    }
}

fn policy(rule: &RuleCounts) -> String {
    format!("{} v{}", rule.policy_name, rule.version)
}

fn violated(tenant: TenantId, overview: &Overview) -> AnyView {
    let rules =
        overview.violated.iter().map(|rule| rule_row(tenant, overview.span, rule)).collect();
    let (total, never) = (overview.totals.violations, never_applied(overview));
    rule_chart::violated(
        "Top violated rules",
        rules,
        total,
        "No rule was violated in this range.",
        never,
    )
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
                <span class="text-muted">{decisions(rule.na)}</span>
            </li>
        }
    };
    let rules: Vec<_> = overview.never_applied.iter().map(rule).collect();
    (!rules.is_empty()).then(|| {
        any_view! {
            <h3>"Evaluated but never applied"</h3>
            <ul class="plain-list">{rules}</ul>
        }
    })
}

fn overridden(tenant: TenantId, overview: &Overview) -> AnyView {
    let rules =
        overview.overridden.iter().map(|rule| rule_row(tenant, overview.span, rule)).collect();
    rule_chart::overridden(rules, overview.totals.outcomes)
}
