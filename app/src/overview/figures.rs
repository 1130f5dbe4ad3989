//! The key figures of the overview, computed from the counts.

use governance::insight::{
    inbox::Counts,
    rollup::{Bucket, Overview, RuleTotals},
};
use page_kit::{
    prelude::*,
    text::number::{milliseconds, rate, tenths},
    ui::chart::{self, KeyFigure},
};

use super::{Charts, NO_NUMBER};

impl Charts<'_> {
    /// Returns the key figures. Only roles that can act have items that need their action.
    pub(super) fn figures(&self, cx: &Cx, counts: &Counts) -> AnyView {
        let span = self.overview.span;
        let period_ms = span.to.millis() - span.from.millis();
        let item = |label, number, [previous, now]: [u64; 2], href| KeyFigure {
            label,
            number: limited(number),
            trend: chart::new_items(now, previous, period_ms),
            href: Some(href),
            values: Vec::new(),
        };
        let mut figures = Vec::new();
        if cx.role().is_some_and(|role| role.has(Right::Operate)) {
            let since = &counts.actionable_since;
            let new = |from: Timestamp, to: Timestamp| {
                since.iter().filter(|at| (from..to).contains(*at)).count() as u64
            };
            let before = span.from.plus_millis(-period_ms);
            let trend = [new(before, span.from), new(span.from, span.to)];
            let inbox = url::inbox(self.tenant);
            figures.push(item("Needs your action", since.len() as u64, trend, inbox));
        }
        if let Some(new) = self.overview.new_alerts {
            let alerts = url::alerts(self.tenant);
            figures.push(item("Open alerts", counts.open_alerts, new, alerts));
        }
        figures.extend(self.figures_of_decisions(period_ms));
        chart::figures(figures)
    }

    /// Returns the key figures of the range. A number without decisions is a dash. One policy has no evaluation
    /// time.
    fn figures_of_decisions(&self, period_ms: i64) -> Vec<KeyFigure> {
        let overview = &self.overview;
        let (span, period, previous) = (overview.span, overview.period, overview.previous_period);
        let list = |verdict: &str| Some(self.list(span.from, span.to, verdict));
        let counts: Vec<_> = span.buckets().map(|bucket| counts(overview, bucket)).collect();
        let [now, before] =
            [period, previous].map(|totals| (totals.decisions > 0).then_some(totals));
        let [rate_now, rate_before] = [now, before]
            .map(|totals| totals.map(|totals| tenths(totals.denied, totals.decisions)));
        let [decisions_now, decisions_before] =
            [now, before].map(|totals| totals.map(|totals| chart::to_float(totals.decisions)));
        let rate = now.map(|totals| exact_rate(totals.denied, totals.decisions));
        let or_none = |number: Option<String>| number.unwrap_or_else(|| NO_NUMBER.to_owned());
        let mut figures = vec![
            KeyFigure {
                label: "DENY rate",
                number: or_none(rate),
                trend: chart::points(rate_now, rate_before, period_ms),
                href: list(Verdict::Deny.as_str()),
                values: counts.iter().map(|[all, denied]| denied / all.max(1.0)).collect(),
            },
            KeyFigure {
                label: "Decisions",
                number: whole(period.decisions),
                trend: chart::change_of(decisions_now, decisions_before, period_ms),
                href: list(""),
                values: counts.iter().map(|[all, _]| *all).collect(),
            },
            self.override_rate(),
        ];
        if self.policy.is_none() {
            let p95 = period.p95.map(|ms| format!("{} ms", milliseconds(ms)));
            figures.push(KeyFigure {
                label: "Evaluation time, p95",
                number: or_none(p95),
                trend: chart::change_of(period.p95, previous.p95, period_ms),
                href: None,
                values: overview.latency.iter().map(|bucket| bucket.p95).collect(),
            });
        }
        figures
    }

    /// Returns how often users overrode the verdict of a violated rule, with both numbers.
    fn override_rate(&self) -> KeyFigure {
        let RuleTotals { outcomes, overridden, .. } = self.overview.totals;
        KeyFigure {
            label: "Override rate",
            number: if outcomes == 0 { NO_NUMBER.to_owned() } else { rate(overridden, outcomes) },
            trend: if outcomes == 0 {
                "no violation has an outcome".to_owned()
            } else {
                let [overridden, outcomes] = [overridden, outcomes].map(whole);
                format!("{overridden} of {outcomes} violations with an outcome")
            },
            href: None,
            values: Vec::new(),
        }
    }
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
