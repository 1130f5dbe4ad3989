//! The decisions of policies in the last 30 days, read from the rollups.

use std::collections::BTreeMap;

use contract::{
    id::PolicyId,
    time::{DAY_MS, Timestamp},
};

use super::tally;
use crate::{
    access::permission,
    base::{cx::Cx, error::Result, tenancy::timestamp_value},
};

/// The number of buckets of the span.
const BUCKETS: usize = 10;

/// The length of a bucket in milliseconds.
const STEP_MS: i64 = 3 * DAY_MS;

/// The decisions of one policy in the last 30 days. A decision counts for each policy that it evaluates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyTotals {
    pub decisions: i64,
    /// The decisions with the verdict DENY.
    pub denied: i64,
    /// The decisions of each three days, oldest first.
    pub buckets: [i64; BUCKETS],
}

// SQL: sums by group.
const SELECT_TOTALS: &str = "SELECT policy_id, \
     floor(extract(epoch FROM hour - $3) / $5)::bigint, sum(decisions)::bigint, \
     coalesce(sum(decisions) FILTER (WHERE decision = 'DENY'), 0)::bigint FROM policy_hours \
     WHERE tenant_id = $1 AND policy_id = ANY ($2) AND hour >= $3 AND hour < $4 GROUP BY 1, 2";

/// Returns the totals of the policies with decisions, up to the current hour. Records that are not aggregated
/// yet are not counted.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`.
pub async fn policy_totals(
    cx: &Cx,
    policies: impl IntoIterator<Item = PolicyId>,
) -> Result<BTreeMap<PolicyId, PolicyTotals>> {
    let tenant = cx.tenant(permission::READ_POLICY_DECISIONS)?;
    let policies: Vec<_> = policies.into_iter().map(|policy| policy.0).collect();
    let (from, to) = span(cx.now);
    let step_seconds = STEP_MS / 1_000;
    let values = [policies.into(), timestamp_value(from), timestamp_value(to), step_seconds.into()];
    let tx = tenant.begin().await?;
    let rows = tx.all(SELECT_TOTALS, values).await?;
    tx.finish_read().await?;
    let mut totals = BTreeMap::<PolicyId, PolicyTotals>::new();
    for row in &rows {
        let total = totals.entry(PolicyId(row.try_get_by_index(0)?)).or_default();
        let (index, decisions): (i64, i64) = (row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        total.decisions += decisions;
        total.denied += row.try_get_by_index::<i64>(3)?;
        let bucket = usize::try_from(index).ok().and_then(|index| total.buckets.get_mut(index));
        if let Some(bucket) = bucket {
            *bucket += decisions;
        }
    }
    Ok(totals)
}

/// Returns the 30 days that end with the current hour.
fn span(now: Timestamp) -> (Timestamp, Timestamp) {
    let to = tally::hour(now).plus_millis(tally::HOUR_MS);
    let length = i64::try_from(BUCKETS).unwrap_or_default() * STEP_MS;
    (to.plus_millis(-length), to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_span_ends_with_the_current_hour() {
        let (from, to) = span("2026-11-27T15:40:10Z".parse().unwrap());
        assert_eq!(from, "2026-10-28T16:00:00Z".parse().unwrap());
        assert_eq!(to, "2026-11-27T16:00:00Z".parse().unwrap());
    }
}
