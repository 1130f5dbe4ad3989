//! The analytics of one policy and its rules: charts over all its versions.

use std::cmp::Reverse;

use contract::analytics::{Analytics, BucketSize, RuleAnalytics, VerdictBucket};
use governance::{authoring::policy as service, insight::rollup};
use page_kit::{
    prelude::*,
    text::number::rate,
    ui::chart::{self, Bars, Column, KeyFigure, Part, bars, each_bar, figures, to_float},
};
use policies::policy;
use rules::rule::chart::{self as rule_chart, RuleRow, log};

use crate::overview::{BAD_RANGE, ChartQuery, INCOMPLETE, NO_NUMBER, VERDICTS, warning};

/// `/t/{tenant}/policies/{policy}/analytics`
pub(crate) async fn analytics() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("policy")?;
    let name = service::read(&cx, id, None).await?.name;
    let query = ChartQuery::read(url::analytics(tenant, id), &[]);
    let charts = content(&cx, tenant, id, &query).await?;
    let title = format!("Analytics of {}", isolated(&name));
    Ok(any_view! {
        <Crumb
            href=url::policies(tenant)
            label=policy::TITLE
            inner=(url::policy(tenant, id), name)
        />
        <div class="page-head">
            <Heading title />
            <div class="push">{query.ranges()}</div>
        </div>
        <div class="stack">{charts}</div>
    })
}

/// Renders the charts, or for an invalid range a message.
async fn content(cx: &Cx, tenant: TenantId, id: PolicyId, query: &ChartQuery) -> PageResult {
    let Some((from, to, size)) = span(query, cx.now) else {
        return Ok(warning(BAD_RANGE, "alert"));
    };
    let analytics = match rollup::analytics(cx, id, Some(from), Some(to), size).await {
        Err(error) if error.status() == 422 => {
            return Ok(warning("Choose a shorter range: at most 1,000 days.", "alert"));
        }
        analytics => analytics?,
    };
    let behind = (!analytics.is_complete).then(|| warning(INCOMPLETE, "status"));
    let charts = Charts { tenant, analytics };
    Ok(any_view! {
        {behind}
        {charts.key_figures()}
        {charts.verdicts(query)}
        <div class="charts">
            <div class="stack">{charts.violated()}</div>
            <div class="stack">{charts.overridden()}</div>
        </div>
    })
}

/// Returns the range and its bucket size: hours for one day, days otherwise. A partial day at the start is
/// left out, so that a week has seven days.
fn span(query: &ChartQuery, now: Timestamp) -> Option<(Timestamp, Timestamp, BucketSize)> {
    let (from, to) = query.ends(now)?;
    Some(match query.range() {
        "24h" => (from, to, BucketSize::Hour),
        _ => (from.plus_millis(DAY_MS - 1), to, BucketSize::Day),
    })
}

struct Charts {
    tenant: TenantId,
    analytics: Analytics,
}

impl Charts {
    /// Returns the address of the counted decisions of a time range with another filter.
    fn list(&self, [from, to]: [Timestamp; 2], filter: (&str, &str)) -> String {
        log(self.tenant, from, to, &[("policy", &self.analytics.policy_id.to_string()), filter])
    }

    /// Returns the address of all counted decisions with another filter.
    fn all(&self, filter: (&str, &str)) -> String {
        self.list([self.analytics.from, self.analytics.to], filter)
    }

    /// Renders the key figures. A rate without decisions or outcomes is a dash.
    fn key_figures(&self) -> AnyView {
        let (buckets, rules) = (&self.analytics.buckets, &self.analytics.rules);
        let denied = |bucket: &VerdictBucket| {
            bucket.verdicts.get(&Verdict::Deny).copied().unwrap_or_default()
        };
        let decisions: i64 = buckets.iter().map(|bucket| bucket.decisions).sum();
        let all_denied: i64 = buckets.iter().map(denied).sum();
        let outcomes: i64 = rules.iter().map(|rule| rule.outcomes).sum();
        let overridden: i64 = rules.iter().map(|rule| rule.overridden).sum();
        let or_none = |rate: String, of: i64| if of > 0 { rate } else { NO_NUMBER.to_owned() };
        let share =
            |bucket: &VerdictBucket| to_float(denied(bucket)) / to_float(bucket.decisions.max(1));
        figures(vec![
            KeyFigure {
                label: "Decisions",
                number: whole(decisions),
                trend: "in any version of the policy".to_owned(),
                href: Some(self.all(("verdict", ""))),
                values: buckets.iter().map(|bucket| to_float(bucket.decisions)).collect(),
            },
            KeyFigure {
                label: "DENY rate",
                number: or_none(exact_rate(all_denied, decisions), decisions),
                trend: format!("{} of {} decisions", whole(all_denied), whole(decisions)),
                href: Some(self.all(("verdict", "DENY"))),
                values: buckets.iter().map(share).collect(),
            },
            KeyFigure {
                label: "Override rate",
                number: or_none(rate(overridden, outcomes), outcomes),
                trend: format!(
                    "{} of {} violations with an outcome",
                    whole(overridden),
                    whole(outcomes)
                ),
                href: None,
                values: Vec::new(),
            },
        ])
    }

    fn verdicts(&self, query: &ChartQuery) -> AnyView {
        let Analytics { from, to, bucket: size, buckets, .. } = &self.analytics;
        let step_ms = size.millis();
        let column = |bucket: &VerdictBucket| {
            let part = |verdict: Verdict| Part {
                verdict,
                decisions: bucket.verdicts.get(&verdict).copied().unwrap_or_default(),
                href: self.list([bucket.from, bucket.to], ("verdict", verdict.as_str())),
            };
            Column {
                from: chart::start(step_ms, bucket.from),
                parts: Verdict::ALL.map(part).into(),
            }
        };
        bars(Bars {
            name: "verdicts",
            title: VERDICTS,
            caption: format!(
                "Decisions that evaluated the policy, in any of its versions. {}",
                each_bar(step_ms)
            ),
            columns: buckets.iter().map(column).collect(),
            times: chart::times(step_ms, *from, *to),
            lists: Verdict::ALL.map(|verdict| self.all(("verdict", verdict.as_str()))),
            is_share: query.is_share(),
            units: Some(query.units()),
            marks: Vec::new(),
            note: None,
        })
    }

    fn row(&self, rule: &RuleAnalytics) -> RuleRow {
        RuleRow {
            rule: rule.rule_code.clone(),
            policy: None,
            is_shadow: false,
            considered: rule.evaluated + rule.na,
            violated: rule.violated,
            na: rule.na,
            outcomes: rule.outcomes,
            overridden: rule.overridden,
            href: self.all(("rule", &rule.rule_code)),
        }
    }

    /// Renders all rules, the most violated first, including rules that never apply.
    fn violated(&self) -> AnyView {
        let mut rules: Vec<_> = self.analytics.rules.iter().collect();
        rules.sort_by_key(|rule| Reverse(rule.violated));
        let total = rules.iter().map(|rule| rule.violated).sum();
        let rules = rules.into_iter().map(|rule| self.row(rule)).collect();
        rule_chart::violated("Rules", rules, total, chart::NONE, None)
    }

    /// Renders the rules with known outcomes, the most overridden first.
    fn overridden(&self) -> AnyView {
        let mut rules: Vec<_> =
            self.analytics.rules.iter().filter(|rule| rule.outcomes > 0).collect();
        rules.sort_by_key(|rule| Reverse(rule.overridden));
        let total = rules.iter().map(|rule| rule.outcomes).sum();
        rule_chart::overridden(rules.into_iter().map(|rule| self.row(rule)).collect(), total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_has_seven_days_at_any_time_of_day() {
        for now in ["2026-11-20T09:30:00Z", "2026-11-20T00:00:00Z", "2026-11-20T23:59:59Z"] {
            let query = ChartQuery::of(String::new(), &[], |_| String::new());
            let (from, to, size) = span(&query, now.parse().unwrap()).unwrap();
            let day = |at: Timestamp| at.millis().div_euclid(DAY_MS);
            let days = day(to.plus_millis(DAY_MS - 1)) - day(from);
            assert_eq!((days, size), (7, BucketSize::Day), "{now}");
        }
    }
}
