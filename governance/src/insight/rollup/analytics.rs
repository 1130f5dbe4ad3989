//! Analytics: results of one policy and its rules in a time span, read from the rollups.

use contract::analytics::{Analytics, BucketSize, VerdictBucket};

use super::{json, load_current};
use crate::{access::permission, base::prelude::*};

/// The maximum number of buckets of a span.
const BUCKETS_MAX: i64 = 1_000;

/// Returns the default number of buckets of a span without a start: a day of hours or a month of days.
const fn default_buckets(size: BucketSize) -> i64 {
    match size {
        BucketSize::Hour => 24,
        BucketSize::Day => 30,
    }
}

/// Returns the analytics of a policy between `from` and `to`. Buckets that contain either time are included
/// completely.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND`; `VALIDATION_ERROR` if the span ends before it starts or
/// has more than 1,000 buckets.
pub async fn analytics(
    cx: &Cx,
    id: PolicyId,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    size: BucketSize,
) -> Result<Analytics> {
    let tenant = cx.tenant(permission::READ_POLICY_DECISIONS)?;
    let span = Span::new(from, to.unwrap_or(cx.now), size)?;
    let values = [
        id.0.into(),
        timestamp_value(span.from),
        timestamp_value(span.to),
        (span.step_ms / 1_000).into(),
    ];
    let current = load_current(&tenant, SELECT_ANALYTICS, values).await?;
    let (row, is_behind) = current.or_not_found(ResourceKind::Policy)?;
    let counts: Vec<(i64, Verdict, i64)> = json(&row, 1)?;
    let counts = counts.into_iter().map(|(index, verdict, count)| ((index, verdict), count));
    Ok(Analytics {
        policy_id: id,
        from: span.from,
        to: span.to,
        bucket: size,
        is_complete: !is_behind,
        buckets: span.buckets(&counts.collect()),
        rules: json(&row, 2)?,
    })
}

/// A time span of complete buckets of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    from: Timestamp,
    to: Timestamp,
    step_ms: i64,
}

/// The number of decisions by bucket index and verdict.
type Counts = BTreeMap<(i64, Verdict), i64>;

impl Span {
    fn new(from: Option<Timestamp>, to: Timestamp, size: BucketSize) -> Result<Self> {
        let step_ms = size.millis();
        let start = |time: Timestamp| time.plus_millis(-time.millis().rem_euclid(step_ms));
        let end = start(to.plus_millis(step_ms - 1));
        let default_from = end.plus_millis(-default_buckets(size) * step_ms);
        if from.is_some_and(|from| from > to) {
            return Err(
                invalid_field("/from", "range", "`from` must not be later than `to`").into()
            );
        }
        let from = from.map_or(default_from, start);
        // A span of a single point in time is the bucket that contains it.
        let to = if end == from { from.plus_millis(step_ms) } else { end };
        let span = Self { from, to, step_ms };
        if span.len() > BUCKETS_MAX {
            let message =
                format!("the time span has more than {BUCKETS_MAX} buckets; choose a shorter one");
            return Err(invalid_field("/from", "range", &message).into());
        }
        Ok(span)
    }

    fn len(self) -> i64 {
        (self.to.millis() - self.from.millis()) / self.step_ms
    }

    fn buckets(self, counts: &Counts) -> Vec<VerdictBucket> {
        let bucket = |index: i64| {
            let from = self.from.plus_millis(index * self.step_ms);
            let count = |verdict| counts.get(&(index, verdict)).copied().unwrap_or_default();
            let verdicts: BTreeMap<_, _> =
                Verdict::ALL.into_iter().map(|verdict| (verdict, count(verdict))).collect();
            let decisions = verdicts.values().sum();
            VerdictBucket { from, to: from.plus_millis(self.step_ms), decisions, verdicts }
        };
        (0..self.len()).map(bucket).collect()
    }
}

const SELECT_ANALYTICS: &str = include_str!("analytics.sql");

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn span(from: Option<&str>, to: &str, size: BucketSize) -> Result<Span> {
        Span::new(from.map(time), time(to), size)
    }

    #[test]
    fn span_consists_of_complete_buckets() {
        let hours = span(Some("2026-11-02T09:30:00Z"), "2026-11-02T11:00:01Z", BucketSize::Hour);
        let hours = hours.unwrap();
        assert_eq!(
            (hours.from, hours.to),
            (time("2026-11-02T09:00:00Z"), time("2026-11-02T12:00:00Z"))
        );
        assert_eq!(hours.buckets(&Counts::new()).len(), 3);
        let days = span(None, "2026-11-02T11:00:00Z", BucketSize::Day).unwrap();
        assert_eq!(
            (days.from, days.to),
            (time("2026-10-04T00:00:00Z"), time("2026-11-03T00:00:00Z"))
        );
        let noon = "2026-11-02T12:00:00Z";
        let hour = span(Some(noon), noon, BucketSize::Hour).unwrap();
        assert_eq!((hour.from, hour.to), (time(noon), time("2026-11-02T13:00:00Z")));
    }

    #[test]
    fn reversed_or_too_long_span_is_rejected() {
        let (early, late) = ("2026-11-02T09:00:00Z", "2026-11-02T10:00:00Z");
        assert!(span(Some(late), early, BucketSize::Hour).is_err());
        assert!(span(Some("2026-09-01T00:00:00Z"), early, BucketSize::Hour).is_err());
        assert!(span(Some("2026-09-01T00:00:00Z"), early, BucketSize::Day).is_ok());
        let extremes = (Some("0001-01-01T00:00:00Z"), "9999-12-31T23:59:59Z");
        assert!(span(extremes.0, extremes.1, BucketSize::Day).is_err());
    }
}
