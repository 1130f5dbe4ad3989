//! Overview: decisions, rules and latency of a tenant in a time span, read from the rollups.

use std::collections::BTreeMap;

use contract::{evaluation::Verdict, id::PolicyId, policy::VersionStage, time::Timestamp};
use entity::column::{TextEnum, unsigned};
use sea_orm::{QueryResult, Value};

use super::{catch_up, latency, tally};
use crate::{
    access::permission,
    authoring::policy::version,
    base::{
        cx::Cx,
        error::{Error, Result},
        tenancy::{TenantTx, timestamp_value},
    },
};

/// The maximum number of buckets of a span.
const BUCKETS_MAX: i64 = 31;

/// The possible lengths of a bucket in hours.
const STEPS: [i64; 10] = [1, 3, 6, 12, 24, 72, 168, 720, 2_160, 8_760];

/// The maximum number of rules per list.
const RULES_MAX: i64 = 10;

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
    fn previous_start(self) -> Timestamp {
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

    fn bucket(self, index: i64) -> Bucket {
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
    /// Evaluation times by bucket. Buckets without decisions are omitted.
    pub latency: Vec<Latency>,
    /// The most violated rules, in descending order.
    pub violated: Vec<RuleCounts>,
    /// The most overridden rules, in descending order. Contains only rules whose violations have outcomes.
    pub overridden: Vec<RuleCounts>,
    /// Rules that were evaluated but never applied.
    pub never_applied: Vec<RuleCounts>,
    /// The total numbers of violations, and of outcomes recorded for them.
    pub totals: (i64, i64),
    /// The totals of the span, without decisions in shadow mode.
    pub period: PeriodTotals,
    /// The totals of the span of the same length before it.
    pub previous_period: PeriodTotals,
    /// Current numbers, independent of the span.
    pub current_totals: CurrentTotals,
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The number of versions that wait for ratification.
    pub waiting_versions: i64,
    /// The number of active policies in shadow mode.
    pub shadow_policies: i64,
    pub has_policy: bool,
    pub has_active_policy: bool,
    pub has_api_key: bool,
}

/// Returns the overview of a time span. Aggregates new records first.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that lacks the scope to read decisions.
pub async fn overview(cx: &Cx, span: Span) -> Result<Overview> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let is_behind = catch_up(&tenant).await?;
    let tx = tenant.begin_snapshot().await?;
    let (current_totals, is_new) = load_current_totals(&tx).await?;
    let rules = rules(&tx, span).await?;
    let (verdicts, [before, now]) = verdicts(&tx, span).await?;
    let (latency, [p95_before, p95_now]) = latency(&tx, span).await?;
    let overview = Overview {
        span,
        is_new,
        is_behind,
        verdicts,
        latency,
        violated: rules.best(|ranked| ranked.by_violations, |rule| rule.violated > 0),
        overridden: rules.best(|ranked| ranked.by_overrides, |rule| rule.outcomes > 0),
        never_applied: rules.best(|ranked| ranked.by_never_applied, |rule| rule.evaluated == 0),
        totals: rules.totals,
        period: PeriodTotals { p95: p95_now, ..now },
        previous_period: PeriodTotals { p95: p95_before, ..before },
        current_totals,
    };
    tx.finish_read().await?;
    Ok(overview)
}

// SQL: three tables are read in one round trip.
const SELECT_CURRENT_TOTALS: &str = "SELECT \
     count(*) FILTER (WHERE shadow_mode AND active_version IS NOT NULL), \
     count(*) > 0, count(active_version) > 0, \
     EXISTS (SELECT FROM api_keys WHERE tenant_id = $1), \
     NOT EXISTS (SELECT FROM decisions WHERE tenant_id = $1) \
     FROM policies WHERE tenant_id = $1";

async fn load_current_totals(tx: &TenantTx) -> Result<(CurrentTotals, bool)> {
    let row = tx
        .one(SELECT_CURRENT_TOTALS, [])
        .await?
        .ok_or_else(|| Error::bug("a query without a row"))?;
    let waiting = version::open_in(tx, VersionStage::WaitingForRatification).await?;
    let totals = CurrentTotals {
        waiting_versions: i64::try_from(waiting.len()).unwrap_or(i64::MAX),
        shadow_policies: row.try_get_by_index(0)?,
        has_policy: row.try_get_by_index(1)?,
        has_active_policy: row.try_get_by_index(2)?,
        has_api_key: row.try_get_by_index(3)?,
    };
    Ok((totals, row.try_get_by_index(4)?))
}

/// Returns the parameters `$2` and `$3` of a query on a span.
fn span_params(span: Span) -> [Value; 2] {
    [timestamp_value(span.from), timestamp_value(span.to)]
}

/// Returns the parameters `$2` to `$5` of a query by bucket: start, end, the length of a bucket in seconds, and
/// the start of the previous span, whose buckets have negative indexes.
fn bucket_params(span: Span) -> [Value; 4] {
    let [from, to] = span_params(span);
    [from, to, (span.step_ms / 1_000).into(), timestamp_value(span.previous_start())]
}

// SQL, like the next statements: sums by group.
const SELECT_VERDICTS: &str = "SELECT floor(extract(epoch FROM hour - $2) / $4)::bigint AS bucket, \
     decision, is_shadow, sum(decisions)::bigint FROM decision_hours \
     WHERE tenant_id = $1 AND hour >= $5 AND hour < $3 GROUP BY 1, 2, 3 ORDER BY 1";

/// Returns the counts by bucket, and the totals of the previous span and of the span.
async fn verdicts(tx: &TenantTx, span: Span) -> Result<(Vec<VerdictCount>, [PeriodTotals; 2])> {
    let rows = tx.all(SELECT_VERDICTS, bucket_params(span)).await?;
    let count = |row: &QueryResult| -> Result<VerdictCount> {
        Ok(VerdictCount {
            bucket: span.bucket(row.try_get_by_index(0)?),
            verdict: row.try_get_by_index::<TextEnum<Verdict>>(1)?.0,
            is_shadow: row.try_get_by_index(2)?,
            decisions: row.try_get_by_index(3)?,
        })
    };
    let counts = rows.iter().map(count).collect::<Result<Vec<_>>>()?;
    let mut totals = [PeriodTotals::default(); 2];
    for count in counts.iter().filter(|count| !count.is_shadow) {
        let total = &mut totals[usize::from(count.bucket.from >= span.from)];
        total.decisions += count.decisions;
        total.denied += if count.verdict == Verdict::Deny { count.decisions } else { 0 };
    }
    let is_current = |count: &VerdictCount| count.bucket.from >= span.from;
    let mut current: Vec<_> = counts.into_iter().filter(is_current).collect();
    current.sort_by_key(|count| (count.bucket, count.verdict, count.is_shadow));
    Ok((current, totals))
}

const SELECT_LATENCY: &str = "SELECT floor(extract(epoch FROM hour - $2) / $4)::bigint AS bucket, \
     step, sum(decisions)::bigint FROM latency_hours \
     WHERE tenant_id = $1 AND hour >= $5 AND hour < $3 GROUP BY 1, 2 ORDER BY 1, 2";

/// Returns the evaluation times by bucket, and p95 of the previous span and of the span.
async fn latency(tx: &TenantTx, span: Span) -> Result<(Vec<Latency>, [Option<f64>; 2])> {
    let rows = tx.all(SELECT_LATENCY, bucket_params(span)).await?;
    let step = |row: &QueryResult| -> Result<(i64, (i16, i64))> {
        let of_step = (row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        Ok((row.try_get_by_index(0)?, of_step))
    };
    let steps = rows.iter().map(step).collect::<Result<Vec<_>>>()?;
    let of_bucket = |steps: &[(i64, (i16, i64))]| {
        let (index, _) = *steps.first()?;
        let steps: Vec<_> = steps.iter().map(|(_, step)| *step).collect();
        Some(Latency {
            bucket: span.bucket(index),
            decisions: steps.iter().map(|(_, decisions)| decisions).sum(),
            p50: latency::percentile(&steps, 50)?,
            p95: latency::percentile(&steps, 95)?,
            p99: latency::percentile(&steps, 99)?,
        })
    };
    let (previous, current) = steps.split_at(steps.partition_point(|(index, _)| *index < 0));
    let p95 = |steps: &[(i64, (i16, i64))]| {
        let mut total = BTreeMap::new();
        for (_, (step, decisions)) in steps {
            *total.entry(*step).or_default() += decisions;
        }
        latency::percentile(&total.into_iter().collect::<Vec<_>>(), 95)
    };
    let buckets = current.chunk_by(|(a, _), (b, _)| a == b).filter_map(of_bucket).collect();
    Ok((buckets, [p95(previous), p95(current)]))
}

// Each list is limited in the database, because a tenant may have thousands of rules. The tenant can read
// the name of an inherited policy only from the newest snapshot that contains it.
const SELECT_RULES: &str = "WITH sums AS (SELECT policy_id, version, rule_code, is_shadow, \
     sum(evaluated)::bigint AS evaluated, sum(violated)::bigint AS violated, \
     sum(na)::bigint AS na, sum(outcomes)::bigint AS outcomes, \
     sum(overridden)::bigint AS overridden FROM rule_hours \
     WHERE tenant_id = $1 AND hour >= $2 AND hour < $3 GROUP BY 1, 2, 3, 4), \
     ranked AS (SELECT *, \
     row_number() OVER (ORDER BY violated DESC, rule_code, policy_id, version DESC) AS top, \
     row_number() OVER (ORDER BY overridden DESC, outcomes DESC, rule_code, policy_id, version DESC) \
     AS overruled, \
     row_number() OVER (ORDER BY evaluated > 0, na DESC, rule_code, policy_id, version DESC) AS silent, \
     (sum(violated) OVER ())::bigint AS violations, (sum(outcomes) OVER ())::bigint AS known \
     FROM sums) \
     SELECT r.policy_id, coalesce(p.name, (SELECT policy ->> 'name' FROM snapshot_policies s \
     JOIN policy_snapshots b ON b.tenant_id = s.tenant_id AND b.id = s.snapshot_id \
     CROSS JOIN jsonb_array_elements(b.body::jsonb -> 'policies') policy \
     WHERE s.tenant_id = $1 AND s.policy_id = r.policy_id \
     AND policy ->> 'policy_id' = r.policy_id::text ORDER BY b.created_at DESC LIMIT 1), \
     r.policy_id::text), r.version, r.rule_code, r.is_shadow, \
     r.evaluated, r.violated, r.na, r.outcomes, r.overridden, r.top, r.overruled, r.silent, \
     r.violations, r.known FROM ranked r \
     LEFT JOIN policies p ON p.tenant_id = $1 AND p.id = r.policy_id \
     WHERE least(top, overruled, silent) <= $4";

async fn rules(tx: &TenantTx, span: Span) -> Result<Rules> {
    let [from, to] = span_params(span);
    let rows = tx.all(SELECT_RULES, [from, to, RULES_MAX.into()]).await?;
    let rules = rows.iter().map(ranked_rule).collect::<Result<Vec<_>>>()?;
    let totals = match rows.first() {
        Some(row) => (row.try_get_by_index(13)?, row.try_get_by_index(14)?),
        None => (0, 0),
    };
    Ok(Rules { rules, totals })
}

/// The rules of all lists.
struct Rules {
    rules: Vec<RankedRule>,
    totals: (i64, i64),
}

/// A rule with its rank in each list.
struct RankedRule {
    counts: RuleCounts,
    by_violations: i64,
    by_overrides: i64,
    by_never_applied: i64,
}

fn ranked_rule(row: &QueryResult) -> Result<RankedRule> {
    let counts = RuleCounts {
        policy_id: PolicyId(row.try_get_by_index(0)?),
        policy_name: row.try_get_by_index(1)?,
        version: unsigned(row.try_get_by_index(2)?),
        rule_code: row.try_get_by_index(3)?,
        is_shadow: row.try_get_by_index(4)?,
        evaluated: row.try_get_by_index(5)?,
        violated: row.try_get_by_index(6)?,
        na: row.try_get_by_index(7)?,
        outcomes: row.try_get_by_index(8)?,
        overridden: row.try_get_by_index(9)?,
    };
    Ok(RankedRule {
        counts,
        by_violations: row.try_get_by_index(10)?,
        by_overrides: row.try_get_by_index(11)?,
        by_never_applied: row.try_get_by_index(12)?,
    })
}

impl Rules {
    /// Returns the rules that belong to a list, ordered by `rank` and limited to its length.
    fn best(
        &self,
        rank: fn(&RankedRule) -> i64,
        belongs: fn(&RuleCounts) -> bool,
    ) -> Vec<RuleCounts> {
        let fits = |ranked: &&RankedRule| rank(ranked) <= RULES_MAX && belongs(&ranked.counts);
        let mut best: Vec<&RankedRule> = self.rules.iter().filter(fits).collect();
        best.sort_by_key(|ranked| rank(ranked));
        best.into_iter().map(|ranked| ranked.counts.clone()).collect()
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
