//! The figures of the list of policies: last changes, and the decisions of the last 30 days from the rollups.

use contract::time::DAY_MS;

use crate::{access::permission, base::prelude::*};

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

/// What the list of policies shows of one policy besides its own fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyFigures {
    /// The time since which the active version is active.
    pub active_since: Option<Timestamp>,
    /// The last change of the policy or of its latest, active or open version, according to the audit log.
    pub last_change: Option<LastChange>,
    pub totals: PolicyTotals,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastChange {
    pub at: Timestamp,
    /// The name of the member or of the API key; `None` for others.
    pub by: Option<String>,
}

/// The numbers of a tenant's policies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyCounts {
    pub policies: i64,
    /// The policies with an active version.
    pub active: i64,
    /// The policies with an open version: a draft, or one that waits for ratification.
    pub open: i64,
}

const SELECT_FIGURES: &str = include_str!("policies.sql");

/// A policy with the time since which its active version is active, and its last change with the author.
type FigureRow = (PolicyId, Option<i64>, Option<i64>, Option<String>);

/// Returns the numbers of all policies of the tenant, and the figures of `policies`. Decisions that are not
/// aggregated yet are not counted.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`.
pub async fn policy_figures(
    cx: &Cx,
    policies: impl IntoIterator<Item = PolicyId>,
) -> Result<(PolicyCounts, BTreeMap<PolicyId, PolicyFigures>)> {
    let tenant = cx.tenant(permission::READ_POLICY_DECISIONS)?;
    let policies: Vec<_> = policies.into_iter().map(|policy| policy.0).collect();
    let (from, to) = span(cx.now);
    let step_seconds = STEP_MS / 1_000;
    let values = [policies.into(), timestamp_value(from), timestamp_value(to), step_seconds.into()];
    let tx = tenant.begin().await?;
    let (policies, active, open, figures, totals): (i64, i64, i64, String, String) =
        tx.only(SELECT_FIGURES, values).await?;
    tx.finish_read().await?;
    let time = |ms: Option<i64>| ms.and_then(Timestamp::from_millis);
    let figures: Vec<FigureRow> = serde_json::from_str(&figures)?;
    let figures = figures.into_iter().map(|(policy, active_since, changed_at, by)| {
        let last_change = time(changed_at).map(|at| LastChange { at, by });
        let totals = PolicyTotals::default();
        (policy, PolicyFigures { active_since: time(active_since), last_change, totals })
    });
    let mut figures: BTreeMap<_, _> = figures.collect();
    let totals: Vec<(PolicyId, i64, i64, i64)> = serde_json::from_str(&totals)?;
    for (policy, bucket, decisions, denied) in totals {
        let totals = &mut figures.entry(policy).or_default().totals;
        totals.decisions += decisions;
        totals.denied += denied;
        let bucket = usize::try_from(bucket).ok().and_then(|index| totals.buckets.get_mut(index));
        if let Some(bucket) = bucket {
            *bucket += decisions;
        }
    }
    let counts = PolicyCounts { policies, active, open };
    Ok((counts, figures))
}

/// Returns the 30 days (UTC) that end with the current day.
fn span(now: Timestamp) -> (Timestamp, Timestamp) {
    let to = now.plus_millis(DAY_MS - now.millis().rem_euclid(DAY_MS));
    let length = i64::try_from(BUCKETS).unwrap_or_default() * STEP_MS;
    (to.plus_millis(-length), to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_span_ends_with_the_current_day() {
        let (from, to) = span("2026-11-27T15:40:10Z".parse().unwrap());
        assert_eq!(from, "2026-10-29T00:00:00Z".parse().unwrap());
        assert_eq!(to, "2026-11-28T00:00:00Z".parse().unwrap());
    }
}
