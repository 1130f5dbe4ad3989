//! How one policy and its rules fared in a span of time, read from the counts.

use std::collections::BTreeMap;

use contract::{
    analytics::{Analytics, BucketSize, RuleAnalytics, VerdictBucket},
    evaluation::Verdict,
    id::PolicyId,
    time::Timestamp,
};
use entity::column::Word;

use super::top_up;
use crate::{
    cx::Cx,
    error::{Result, invalid_field},
    permission, policy,
    tenancy::{TenantTx, instant},
};

/// How many parts a span has at the most.
const BUCKETS_MAX: i64 = 1_000;

/// How many parts a span has when its start is not said: a day of hours, a month of days.
const fn buckets_usual(size: BucketSize) -> i64 {
    match size {
        BucketSize::Hour => 24,
        BucketSize::Day => 30,
    }
}

/// How a policy fared between `from` and `to`: the parts that these two lie in count as a whole.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND`; `VALIDATION_ERROR` for a span that ends before it
/// starts, or has more than 1,000 parts.
pub async fn analytics(
    cx: &Cx,
    id: PolicyId,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    size: BucketSize,
) -> Result<Analytics> {
    let tenant = cx.tenant(permission::READ_POLICY_DECISIONS)?;
    let span = Span::of(from, to.unwrap_or(cx.now), size)?;
    let tx = tenant.begin().await?;
    policy::exists(&tx, id).await?;
    tx.end().await?;
    let is_behind = top_up(&tenant).await?;
    let tx = tenant.begin_snapshot().await?;
    let counts = verdicts(&tx, id, span).await?;
    let rules = rules(&tx, id, span).await?;
    tx.end().await?;
    Ok(Analytics {
        policy_id: id,
        from: span.from,
        to: span.to,
        bucket: size,
        is_complete: !is_behind,
        buckets: span.buckets(&counts),
        rules,
    })
}

/// Whole parts of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    from: Timestamp,
    to: Timestamp,
    step_ms: i64,
}

/// Decisions by part of a span and verdict.
type Counts = BTreeMap<(i64, Verdict), i64>;

impl Span {
    fn of(from: Option<Timestamp>, to: Timestamp, size: BucketSize) -> Result<Self> {
        let step_ms = size.millis();
        let start = |at: Timestamp| at.plus_millis(-at.millis().rem_euclid(step_ms));
        let end = start(to.plus_millis(step_ms - 1));
        let usual = end.plus_millis(-buckets_usual(size) * step_ms);
        if from.is_some_and(|from| from > to) {
            return Err(
                invalid_field("/from", "range", "`from` must not be later than `to`").into()
            );
        }
        let from = from.map_or(usual, start);
        // A span of one instant is the part that the instant lies in.
        let to = if end == from { from.plus_millis(step_ms) } else { end };
        let span = Self { from, to, step_ms };
        if span.len() > BUCKETS_MAX {
            let message =
                format!("the span has more than {BUCKETS_MAX} parts; ask for a shorter one");
            return Err(invalid_field("/from", "range", &message).into());
        }
        Ok(span)
    }

    /// How many parts it has.
    fn len(self) -> i64 {
        (self.to.millis() - self.from.millis()) / self.step_ms
    }

    fn buckets(self, counts: &Counts) -> Vec<VerdictBucket> {
        let bucket = |index: i64| {
            let from = self.from.plus_millis(index * self.step_ms);
            let of = |verdict| counts.get(&(index, verdict)).copied().unwrap_or_default();
            let verdicts: BTreeMap<_, _> =
                Verdict::ALL.into_iter().map(|verdict| (verdict, of(verdict))).collect();
            let decisions = verdicts.values().sum();
            VerdictBucket { from, to: from.plus_millis(self.step_ms), decisions, verdicts }
        };
        (0..self.len()).map(bucket).collect()
    }
}

// SQL, as the next one: sums by group.
const VERDICTS: &str = "SELECT floor(extract(epoch FROM hour - $3) / $5)::bigint, decision, \
     sum(decisions)::bigint FROM policy_hours \
     WHERE tenant_id = $1 AND policy_id = $2 AND hour >= $3 AND hour < $4 GROUP BY 1, 2";

async fn verdicts(tx: &TenantTx, id: PolicyId, span: Span) -> Result<Counts> {
    let step_seconds = span.step_ms / 1_000;
    let values = [id.0.into(), instant(span.from), instant(span.to), step_seconds.into()];
    let rows = tx.all(VERDICTS, values).await?;
    rows.iter()
        .map(|row| {
            let verdict = row.try_get_by_index::<Word<Verdict>>(1)?.0;
            Ok(((row.try_get_by_index(0)?, verdict), row.try_get_by_index(2)?))
        })
        .collect()
}

const RULES: &str = "SELECT rule_code, sum(evaluated)::bigint, sum(violated)::bigint, \
     sum(na)::bigint, sum(outcomes)::bigint, sum(overridden)::bigint FROM rule_hours \
     WHERE tenant_id = $1 AND policy_id = $2 AND hour >= $3 AND hour < $4 \
     GROUP BY rule_code ORDER BY rule_code";

async fn rules(tx: &TenantTx, id: PolicyId, span: Span) -> Result<Vec<RuleAnalytics>> {
    let rows = tx.all(RULES, [id.0.into(), instant(span.from), instant(span.to)]).await?;
    rows.iter()
        .map(|row| {
            Ok(RuleAnalytics {
                rule_code: row.try_get_by_index(0)?,
                evaluated: row.try_get_by_index(1)?,
                violated: row.try_get_by_index(2)?,
                na: row.try_get_by_index(3)?,
                outcomes: row.try_get_by_index(4)?,
                overridden: row.try_get_by_index(5)?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn span(from: Option<&str>, to: &str, size: BucketSize) -> Result<Span> {
        Span::of(from.map(at), at(to), size)
    }

    #[test]
    fn a_span_is_whole_parts() {
        let hours = span(Some("2026-11-02T09:30:00Z"), "2026-11-02T11:00:01Z", BucketSize::Hour);
        let hours = hours.unwrap();
        assert_eq!(
            (hours.from, hours.to),
            (at("2026-11-02T09:00:00Z"), at("2026-11-02T12:00:00Z"))
        );
        assert_eq!(hours.buckets(&Counts::new()).len(), 3);
        let days = span(None, "2026-11-02T11:00:00Z", BucketSize::Day).unwrap();
        assert_eq!((days.from, days.to), (at("2026-10-04T00:00:00Z"), at("2026-11-03T00:00:00Z")));
        let noon = "2026-11-02T12:00:00Z";
        let instant = span(Some(noon), noon, BucketSize::Hour).unwrap();
        assert_eq!((instant.from, instant.to), (at(noon), at("2026-11-02T13:00:00Z")));
    }

    #[test]
    fn a_span_has_an_order_and_a_bound() {
        let (early, late) = ("2026-11-02T09:00:00Z", "2026-11-02T10:00:00Z");
        assert!(span(Some(late), early, BucketSize::Hour).is_err());
        assert!(span(Some("2026-09-01T00:00:00Z"), early, BucketSize::Hour).is_err());
        assert!(span(Some("2026-09-01T00:00:00Z"), early, BucketSize::Day).is_ok());
        let extremes = (Some("0001-01-01T00:00:00Z"), "9999-12-31T23:59:59Z");
        assert!(span(extremes.0, extremes.1, BucketSize::Day).is_err());
    }
}
