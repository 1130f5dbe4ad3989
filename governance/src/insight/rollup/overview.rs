//! Overview: decisions, rules and latency of a tenant in a time span, read from the rollups.

use contract::alert::COUNT_MAX;

use super::{json, latency, load_current, tally};
use crate::{access::permission, base::prelude::*};

/// The maximum number of buckets of a span.
const BUCKETS_MAX: i64 = 31;

/// The possible lengths of a bucket in hours.
const STEPS: [i64; 10] = [1, 3, 6, 12, 24, 72, 168, 720, 2_160, 8_760];

/// The maximum number of rules per list.
const RULES_MAX: i64 = 10;

/// The maximum number of activations and deactivations.
pub const CHANGES_MAX: i64 = 10;

/// A time span of complete hours, split into buckets of one length. The last bucket may be shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Timestamp,
    /// The end of the span, exclusive.
    pub to: Timestamp,
    /// The length of a bucket in milliseconds.
    pub step_ms: i64,
}

impl Span {
    /// Returns the start of the span of the same length before this one.
    pub(super) fn previous_start(self) -> Timestamp {
        self.from.plus_millis(self.from.millis() - self.to.millis())
    }

    /// Returns the span of complete hours that contains `from` and `to`, with the shortest buckets that
    /// need at most 31.
    pub fn new(from: Timestamp, to: Timestamp) -> Self {
        let (from, to) = (tally::hour(from), tally::hour(to.plus_millis(tally::HOUR_MS - 1)));
        let hours = (to.millis() - from.millis()) / tally::HOUR_MS;
        let fits = |step: &&i64| hours <= **step * BUCKETS_MAX;
        let longest = hours / BUCKETS_MAX + 1;
        let step = STEPS.iter().find(fits).copied().unwrap_or(longest);
        Self { from, to, step_ms: step * tally::HOUR_MS }
    }

    pub fn buckets(self) -> impl Iterator<Item = Bucket> {
        (0..BUCKETS_MAX)
            .map(move |index| self.bucket(index))
            .take_while(move |bucket| bucket.from < self.to)
    }

    pub(super) fn bucket(self, index: i64) -> Bucket {
        let from = self.from.plus_millis(index * self.step_ms);
        Bucket { from, to: from.plus_millis(self.step_ms).min(self.to) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bucket {
    pub from: Timestamp,
    /// The end of the bucket, exclusive.
    pub to: Timestamp,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    pub span: Span,
    /// Whether the tenant has never recorded a decision.
    pub is_new: bool,
    /// Whether some recorded decisions are not counted yet.
    pub is_behind: bool,
    /// Decisions by bucket, verdict and shadow mode, in that order. Entries without decisions are omitted.
    pub verdicts: Vec<VerdictCount>,
    /// Evaluation times by bucket. Buckets without decisions are omitted. Empty for one policy: an evaluation time
    /// belongs to a decision, not to one of its policies.
    pub latency: Vec<Latency>,
    /// The most violated rules, in descending order.
    pub violated: Vec<RuleCounts>,
    /// The most overridden rules, in descending order. Contains only rules whose violations have outcomes.
    pub overridden: Vec<RuleCounts>,
    /// Rules that were evaluated but never applied.
    pub never_applied: Vec<RuleCounts>,
    /// The totals of all rules.
    pub totals: RuleTotals,
    /// The newest activations and deactivations of policies in the span, newest first, at most [`CHANGES_MAX`].
    pub changes: Vec<PolicyChange>,
    /// The totals of the span, without decisions in shadow mode.
    pub period: PeriodTotals,
    /// The totals of the span of the same length before it.
    pub previous_period: PeriodTotals,
    /// The numbers of alerts that were created in the previous span and in the span, each up to
    /// [`COUNT_MAX`](contract::alert::COUNT_MAX); `None` if the caller cannot read alerts.
    pub new_alerts: Option<[u64; 2]>,
    /// The tenant's own policies, by name.
    pub policies: Vec<(PolicyId, String)>,
    /// Current numbers, independent of the span.
    pub current_totals: CurrentTotals,
}

/// The total numbers of all rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleTotals {
    pub violations: i64,
    /// The violations of decisions with an outcome.
    pub outcomes: i64,
    /// The violations of overridden decisions.
    pub overridden: i64,
}

/// The activation of a version, or the deactivation of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyChange {
    pub at: Timestamp,
    pub policy_id: PolicyId,
    /// The current name of the policy.
    pub policy_name: String,
    /// The version that was activated; `None` for a deactivation.
    pub version: Option<u32>,
    /// The user or API key that made the change.
    pub by: Option<String>,
}

/// A change, as the statement writes it.
#[derive(Deserialize)]
struct ChangeRow {
    at: i64,
    policy_id: PolicyId,
    policy_name: String,
    version: Option<u32>,
    by: Option<String>,
}

impl ChangeRow {
    fn change(self) -> Option<PolicyChange> {
        let Self { at, policy_id, policy_name, version, by } = self;
        let at = Timestamp::from_millis(at)?;
        Some(PolicyChange { at, policy_id, policy_name, version, by })
    }
}

/// The totals of a time span. Decisions of which all evaluated policies were in shadow mode are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PeriodTotals {
    pub decisions: i64,
    /// The decisions with the verdict DENY.
    pub denied: i64,
    /// The evaluation time of 95 % of all decisions in milliseconds, or `None` without decisions.
    pub p95: Option<f64>,
}

/// The decisions with one verdict in one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictCount {
    pub bucket: Bucket,
    pub verdict: Verdict,
    /// Whether all evaluated policies were in shadow mode.
    pub is_shadow: bool,
    pub decisions: i64,
}

/// The evaluation times of one bucket in milliseconds, each at most 10 % too high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    pub bucket: Bucket,
    pub decisions: i64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
}

/// The counts of one rule of one version. `evaluated` plus `na` is the number of decisions of its policy.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RuleCounts {
    pub policy_id: PolicyId,
    /// The current name of the policy.
    pub policy_name: String,
    pub version: u32,
    pub rule_code: String,
    /// Whether the policy was in shadow mode.
    pub is_shadow: bool,
    /// The decisions to which the rule applied.
    pub evaluated: i64,
    /// The decisions that violate the rule.
    pub violated: i64,
    /// The decisions to which the rule did not apply.
    pub na: i64,
    /// The decisions that violate the rule and have an outcome.
    pub outcomes: i64,
    /// The decisions that violate the rule and were overridden.
    pub overridden: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrentTotals {
    /// The number of active policies in shadow mode.
    pub shadow_policies: i64,
    pub has_policy: bool,
    pub has_active_policy: bool,
    pub has_api_key: bool,
}

const SELECT_OVERVIEW: &str = include_str!("overview/statement.sql");

/// Returns the overview of a time span, for all policies or for one. Aggregates new records first. If there are
/// none, it runs one query.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that lacks the scope to read decisions.
pub async fn overview(cx: &Cx, span: Span, policy: Option<PolicyId>) -> Result<Overview> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let values = [
        timestamp_value(span.from),
        timestamp_value(span.to),
        (span.step_ms / 1_000).into(),
        timestamp_value(span.previous_start()),
        policy.map(|policy| policy.0).into(),
        RULES_MAX.into(),
        CHANGES_MAX.into(),
        i64::from(COUNT_MAX).into(),
    ];
    let current = load_current(&tenant, SELECT_OVERVIEW, values).await?;
    let (row, is_behind) = current.or_bug("a query without a row")?;
    let rules = Rules(json(&row, 11)?);
    let changes: Vec<ChangeRow> = json(&row, 12)?;
    let (verdicts, [before, now]) = verdicts(span, json(&row, 9)?);
    let (latency, [p95_before, p95_now]) = latency(span, &json::<Vec<_>>(&row, 10)?);
    let [previous_alerts, alerts] =
        [row.try_get_by_index::<i64>(6)?, row.try_get_by_index::<i64>(7)?].map(i64::unsigned_abs);
    Ok(Overview {
        span,
        is_new: row.try_get_by_index(5)?,
        is_behind,
        verdicts,
        latency,
        violated: rules.best(|rule| rule.top, |rule| rule.violated > 0),
        overridden: rules.best(|rule| rule.overruled, |rule| rule.outcomes > 0),
        never_applied: rules.best(|rule| rule.silent, |rule| rule.evaluated == 0),
        totals: rules.totals(),
        changes: changes.into_iter().filter_map(ChangeRow::change).collect(),
        period: PeriodTotals { p95: p95_now, ..now },
        previous_period: PeriodTotals { p95: p95_before, ..before },
        new_alerts: cx.tenant(permission::READ_ALERTS).ok().map(|_| [previous_alerts, alerts]),
        policies: json(&row, 8)?,
        current_totals: CurrentTotals {
            shadow_policies: row.try_get_by_index(1)?,
            has_policy: row.try_get_by_index(2)?,
            has_active_policy: row.try_get_by_index(3)?,
            has_api_key: row.try_get_by_index(4)?,
        },
    })
}

/// Returns the counts by bucket, and the totals of the previous span and of the span.
fn verdicts(
    span: Span,
    rows: Vec<(i64, Verdict, bool, i64)>,
) -> (Vec<VerdictCount>, [PeriodTotals; 2]) {
    let counts = rows.into_iter().map(|(index, verdict, is_shadow, decisions)| VerdictCount {
        bucket: span.bucket(index),
        verdict,
        is_shadow,
        decisions,
    });
    let counts: Vec<_> = counts.collect();
    let mut totals = [PeriodTotals::default(); 2];
    for count in counts.iter().filter(|count| !count.is_shadow) {
        let total = &mut totals[usize::from(count.bucket.from >= span.from)];
        total.decisions += count.decisions;
        total.denied += if count.verdict == Verdict::Deny { count.decisions } else { 0 };
    }
    let is_current = |count: &VerdictCount| count.bucket.from >= span.from;
    let mut current: Vec<_> = counts.into_iter().filter(is_current).collect();
    current.sort_by_key(|count| (count.bucket, count.verdict, count.is_shadow));
    (current, totals)
}

/// The number of decisions whose evaluation time is in a step of a bucket.
type StepCount = (i64, i16, i64);

/// Returns the evaluation times by bucket, and p95 of the previous span and of the span. The counts are ordered by
/// bucket and step.
fn latency(span: Span, steps: &[StepCount]) -> (Vec<Latency>, [Option<f64>; 2]) {
    let of_bucket = |steps: &[StepCount]| {
        let (index, ..) = *steps.first()?;
        let steps: Vec<_> = steps.iter().map(|(_, step, decisions)| (*step, *decisions)).collect();
        Some(Latency {
            bucket: span.bucket(index),
            decisions: steps.iter().map(|(_, decisions)| decisions).sum(),
            p50: latency::percentile(&steps, 50)?,
            p95: latency::percentile(&steps, 95)?,
            p99: latency::percentile(&steps, 99)?,
        })
    };
    let (previous, current) = steps.split_at(steps.partition_point(|(index, ..)| *index < 0));
    let p95 = |steps: &[StepCount]| {
        let mut total = BTreeMap::new();
        for (_, step, decisions) in steps {
            *total.entry(*step).or_default() += decisions;
        }
        latency::percentile(&total.into_iter().collect::<Vec<_>>(), 95)
    };
    let buckets = current.chunk_by(|a, b| a.0 == b.0).filter_map(of_bucket).collect();
    (buckets, [p95(previous), p95(current)])
}

/// The rules of all lists.
struct Rules(Vec<RankedRule>);

/// A rule with its rank in each list, and the totals of all rules.
#[derive(Deserialize)]
struct RankedRule {
    #[serde(flatten)]
    counts: RuleCounts,
    top: i64,
    overruled: i64,
    silent: i64,
    violations: i64,
    known: i64,
    overrides: i64,
}

impl RankedRule {
    fn totals(&self) -> RuleTotals {
        let Self { violations, known, overrides, .. } = *self;
        RuleTotals { violations, outcomes: known, overridden: overrides }
    }
}

impl Rules {
    fn totals(&self) -> RuleTotals {
        self.0.first().map(RankedRule::totals).unwrap_or_default()
    }

    /// Returns the rules that belong to a list, ordered by `rank` and limited to its length.
    fn best(
        &self,
        rank: fn(&RankedRule) -> i64,
        belongs: fn(&RuleCounts) -> bool,
    ) -> Vec<RuleCounts> {
        let fits = |rule: &&RankedRule| rank(rule) <= RULES_MAX && belongs(&rule.counts);
        let mut best: Vec<&RankedRule> = self.0.iter().filter(fits).collect();
        best.sort_by_key(|rule| rank(rule));
        best.into_iter().map(|rule| rule.counts.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn span_is_split_into_buckets_without_gaps() {
        let start: Timestamp = "2026-11-02T09:30:00Z".parse().unwrap();
        for (hours, step, buckets) in [
            (1, 1, 2),
            (23, 1, 24),
            (167, 6, 28),
            (719, 24, 30),
            (2_159, 72, 30),
            (24 * 3_660, 8_760, 11),
        ] {
            let end = start.plus_millis(hours * tally::HOUR_MS);
            let span = Span::new(start, end);
            let parts: Vec<_> = span.buckets().collect();
            assert_eq!((span.step_ms / tally::HOUR_MS, parts.len()), (step, buckets), "{hours}");
            assert!(parts.windows(2).all(|pair| pair[0].to == pair[1].from));
            assert_eq!((parts[0].from, parts[buckets - 1].to), (span.from, span.to));
            assert!(span.from <= start && end <= span.to);
        }
    }
}
