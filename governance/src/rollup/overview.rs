//! How governance is going in a span of time, read from the counts.

use contract::{evaluation::Verdict, id::PolicyId, time::Timestamp};
use entity::column::{Word, number};
use sea_orm::{QueryResult, Value};

use super::{latency, tally, top_up};
use crate::{
    cx::Cx,
    error::{Error, Result},
    permission,
    tenancy::{TenantTx, instant},
};

/// How many buckets a span is cut into at the most.
const BUCKETS_MAX: i64 = 31;

/// How long a bucket may be, in hours.
const STEPS: [i64; 10] = [1, 3, 6, 12, 24, 72, 168, 720, 2_160, 8_760];

/// How many rules each list of an overview has at the most.
const RULES_MAX: i64 = 10;

/// A span of whole hours, cut into buckets of one length; the last one may reach beyond its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it starts, and its first bucket.
    pub from: Timestamp,
    /// Where it ends; not in it.
    pub to: Timestamp,
    /// The length of a bucket, in milliseconds.
    pub step_ms: i64,
}

impl Span {
    /// The hours that `from` and `to` lie between, in at most 31 buckets as short as can be.
    pub fn of(from: Timestamp, to: Timestamp) -> Self {
        let (from, to) = (tally::hour(from), tally::hour(to.plus_millis(tally::HOUR_MS - 1)));
        let hours = (to.millis() - from.millis()) / tally::HOUR_MS;
        let fits = |step: &&i64| hours <= **step * BUCKETS_MAX;
        let longest = hours / BUCKETS_MAX + 1;
        let step = STEPS.iter().find(fits).copied().unwrap_or(longest);
        Self { from, to, step_ms: step * tally::HOUR_MS }
    }

    /// Its buckets, first to last.
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

/// A part of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bucket {
    /// Where it starts.
    pub from: Timestamp,
    /// Where it ends; not in it.
    pub to: Timestamp,
}

/// How governance is going.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// The span that is counted.
    pub span: Span,
    /// Whether no decision was ever recorded.
    pub is_new: bool,
    /// Whether decisions are recorded that are not counted yet.
    pub is_behind: bool,
    /// Decisions by bucket, verdict and shadow, in that order; those that are none are left out.
    pub verdicts: Vec<VerdictCount>,
    /// Evaluation times by bucket; buckets without decisions are left out.
    pub latency: Vec<Latency>,
    /// Rules in the order of their violations: those violated most.
    pub violated: Vec<RuleCounts>,
    /// Rules by how often they were overridden: those whose violations have outcomes.
    pub overridden: Vec<RuleCounts>,
    /// Rules that were looked at and never applied.
    pub never_applied: Vec<RuleCounts>,
    /// All rules together: violations, and outcomes known of them.
    pub totals: (i64, i64),
    /// What stands at this moment, whatever the span.
    pub standing: Standing,
}

/// Decisions of one verdict in one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictCount {
    /// The bucket.
    pub bucket: Bucket,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether every policy that was looked at only watched.
    pub is_shadow: bool,
    /// How many decisions.
    pub decisions: i64,
}

/// Evaluation times of one bucket, in milliseconds, each at most a tenth too high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    /// The bucket.
    pub bucket: Bucket,
    /// How many decisions.
    pub decisions: i64,
    /// Half of them took no longer.
    pub p50: f64,
    /// 95 in 100 took no longer.
    pub p95: f64,
    /// 99 in 100 took no longer.
    pub p99: f64,
}

/// How one rule of one version fared. `evaluated` and `na` together are the decisions of its policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleCounts {
    /// Its policy.
    pub policy_id: PolicyId,
    /// The policy's name of today.
    pub policy_name: String,
    /// The version.
    pub version: u32,
    /// The rule.
    pub rule_code: String,
    /// Whether its policy only watched.
    pub is_shadow: bool,
    /// Decisions to which it applied.
    pub evaluated: i64,
    /// Decisions that violate it.
    pub violated: i64,
    /// Decisions to which it did not apply.
    pub na: i64,
    /// Decisions that violate it and have an outcome.
    pub outcomes: i64,
    /// Decisions that violate it and were overridden.
    pub overridden: i64,
}

/// What stands at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Versions that wait for a ratifier.
    pub waiting_versions: i64,
    /// Active policies that only watch.
    pub shadow_policies: i64,
}

/// How governance is going in a span of time. Counts first what was recorded since the last time.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that may not read decisions.
pub async fn overview(cx: &Cx, span: Span) -> Result<Overview> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let is_behind = top_up(&tenant).await?;
    let tx = tenant.begin_snapshot().await?;
    let (standing, is_new) = standing(&tx).await?;
    let rules = rules(&tx, span).await?;
    let overview = Overview {
        span,
        is_new,
        is_behind,
        verdicts: verdicts(&tx, span).await?,
        latency: latency(&tx, span).await?,
        violated: rules.best(|ranked| ranked.by_violations, |rule| rule.violated > 0),
        overridden: rules.best(|ranked| ranked.by_overrides, |rule| rule.outcomes > 0),
        never_applied: rules.best(|ranked| ranked.by_silence, |rule| rule.evaluated == 0),
        totals: rules.totals,
        standing,
    };
    tx.end().await?;
    Ok(overview)
}

// SQL: three tables are counted in one round trip.
const STANDING: &str = "SELECT (SELECT count(*) FROM policy_versions \
     WHERE tenant_id = $1 AND status = 'submitted'), \
     (SELECT count(*) FROM policies \
     WHERE tenant_id = $1 AND shadow_mode AND active_version IS NOT NULL), \
     NOT EXISTS (SELECT FROM decisions WHERE tenant_id = $1)";

async fn standing(tx: &TenantTx) -> Result<(Standing, bool)> {
    let row = tx.one(STANDING, []).await?.ok_or_else(|| Error::bug("a query without a row"))?;
    let standing = Standing {
        waiting_versions: row.try_get_by_index(0)?,
        shadow_policies: row.try_get_by_index(1)?,
    };
    Ok((standing, row.try_get_by_index(2)?))
}

/// `$2` and `$3` of a query on a span.
fn ends(span: Span) -> [Value; 2] {
    [instant(span.from), instant(span.to)]
}

/// `$2`, `$3` and `$4` of a query by bucket: the ends, and the length of a bucket in seconds.
fn cut(span: Span) -> [Value; 3] {
    let [from, to] = ends(span);
    [from, to, (span.step_ms / 1_000).into()]
}

// SQL, as the next ones: sums by group.
const VERDICTS: &str = "SELECT floor(extract(epoch FROM hour - $2) / $4)::bigint AS bucket, \
     decision, is_shadow, sum(decisions)::bigint FROM decision_hours \
     WHERE tenant_id = $1 AND hour >= $2 AND hour < $3 GROUP BY 1, 2, 3 ORDER BY 1";

async fn verdicts(tx: &TenantTx, span: Span) -> Result<Vec<VerdictCount>> {
    let rows = tx.all(VERDICTS, cut(span)).await?;
    let count = |row: &QueryResult| -> Result<VerdictCount> {
        Ok(VerdictCount {
            bucket: span.bucket(row.try_get_by_index(0)?),
            verdict: row.try_get_by_index::<Word<Verdict>>(1)?.0,
            is_shadow: row.try_get_by_index(2)?,
            decisions: row.try_get_by_index(3)?,
        })
    };
    let mut counts = rows.iter().map(count).collect::<Result<Vec<_>>>()?;
    counts.sort_by_key(|count| (count.bucket, count.verdict, count.is_shadow));
    Ok(counts)
}

const LATENCY: &str = "SELECT floor(extract(epoch FROM hour - $2) / $4)::bigint AS bucket, \
     step, sum(decisions)::bigint FROM latency_hours \
     WHERE tenant_id = $1 AND hour >= $2 AND hour < $3 GROUP BY 1, 2 ORDER BY 1, 2";

async fn latency(tx: &TenantTx, span: Span) -> Result<Vec<Latency>> {
    let rows = tx.all(LATENCY, cut(span)).await?;
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
    Ok(steps.chunk_by(|(a, _), (b, _)| a == b).filter_map(of_bucket).collect())
}

// Each list is cut in the store: a tenant may have thousands of rules. The name of a policy that is
// handed down stands in the newest snapshot that holds it, and nowhere else where it may be seen.
const RULES: &str = "WITH sums AS (SELECT policy_id, version, rule_code, is_shadow, \
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
     SELECT r.policy_id, coalesce(p.name, (SELECT held ->> 'name' FROM snapshot_policies s \
     JOIN policy_snapshots b ON b.tenant_id = s.tenant_id AND b.id = s.snapshot_id \
     CROSS JOIN jsonb_array_elements(b.body::jsonb -> 'policies') held \
     WHERE s.tenant_id = $1 AND s.policy_id = r.policy_id \
     AND held ->> 'policy_id' = r.policy_id::text ORDER BY b.created_at DESC LIMIT 1), \
     r.policy_id::text), r.version, r.rule_code, r.is_shadow, \
     r.evaluated, r.violated, r.na, r.outcomes, r.overridden, r.top, r.overruled, r.silent, \
     r.violations, r.known FROM ranked r \
     LEFT JOIN policies p ON p.tenant_id = $1 AND p.id = r.policy_id \
     WHERE least(top, overruled, silent) <= $4";

async fn rules(tx: &TenantTx, span: Span) -> Result<Rules> {
    let [from, to] = ends(span);
    let rows = tx.all(RULES, [from, to, RULES_MAX.into()]).await?;
    let rules = rows.iter().map(ranked).collect::<Result<Vec<_>>>()?;
    let totals = match rows.first() {
        Some(row) => (row.try_get_by_index(13)?, row.try_get_by_index(14)?),
        None => (0, 0),
    };
    Ok(Rules { rules, totals })
}

/// Rules that stand in one of the lists.
struct Rules {
    rules: Vec<Ranked>,
    totals: (i64, i64),
}

/// A rule with its place in each list.
struct Ranked {
    counts: RuleCounts,
    by_violations: i64,
    by_overrides: i64,
    by_silence: i64,
}

fn ranked(row: &QueryResult) -> Result<Ranked> {
    let counts = RuleCounts {
        policy_id: PolicyId(row.try_get_by_index(0)?),
        policy_name: row.try_get_by_index(1)?,
        version: number(row.try_get_by_index(2)?),
        rule_code: row.try_get_by_index(3)?,
        is_shadow: row.try_get_by_index(4)?,
        evaluated: row.try_get_by_index(5)?,
        violated: row.try_get_by_index(6)?,
        na: row.try_get_by_index(7)?,
        outcomes: row.try_get_by_index(8)?,
        overridden: row.try_get_by_index(9)?,
    };
    Ok(Ranked {
        counts,
        by_violations: row.try_get_by_index(10)?,
        by_overrides: row.try_get_by_index(11)?,
        by_silence: row.try_get_by_index(12)?,
    })
}

impl Rules {
    /// The first ones by `place` that belong on the list.
    fn best(&self, place: fn(&Ranked) -> i64, belongs: fn(&RuleCounts) -> bool) -> Vec<RuleCounts> {
        let fits = |ranked: &&Ranked| place(ranked) <= RULES_MAX && belongs(&ranked.counts);
        let mut best: Vec<&Ranked> = self.rules.iter().filter(fits).collect();
        best.sort_by_key(|ranked| place(ranked));
        best.into_iter().map(|ranked| ranked.counts.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_cut_into_buckets_without_gaps_up_to_its_end() {
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
            let span = Span::of(start, end);
            let cut: Vec<_> = span.buckets().collect();
            assert_eq!((span.step_ms / tally::HOUR_MS, cut.len()), (step, buckets), "{hours}");
            assert!(cut.windows(2).all(|pair| pair[0].to == pair[1].from));
            assert_eq!((cut[0].from, cut[buckets - 1].to), (span.from, span.to));
            assert!(span.from <= start && end <= span.to);
        }
    }
}
