//! The figures of the list of policies: last changes, and the decisions of the last 30 days from the rollups.

use std::collections::BTreeMap;

use contract::{
    id::PolicyId,
    time::{DAY_MS, Timestamp},
};

use super::json;
use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::{Error, Result},
        tenancy::timestamp_value,
    },
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

// SQL: all figures of the page in one round trip. The parts with several rows are JSON, with times in
// milliseconds. `$2` are the policies, `$3` and `$4` are the start and the end of the span, and `$5` is the
// length of a bucket in seconds.
const SELECT_FIGURES: &str = "WITH listed AS ( \
     SELECT id, active_version, draft_version, latest_version FROM policies \
     WHERE tenant_id = $1 AND id = ANY ($2)), \
     changes AS (SELECT l.id, e.occurred_at, coalesce(u.display_name, k.name) AS name FROM listed l \
     CROSS JOIN LATERAL (SELECT n.occurred_at, n.actor_id FROM ( \
       SELECT l.id::text AS object_id UNION ALL SELECT v.id::text FROM policy_versions v \
       WHERE v.tenant_id = $1 AND v.policy_id = l.id \
       AND v.version IN (l.latest_version, l.active_version, l.draft_version)) o \
     CROSS JOIN LATERAL (SELECT seq, occurred_at, actor_id FROM audit_events \
       WHERE tenant_id = $1 AND object_id = o.object_id AND action <> 'decision.record' \
       ORDER BY seq DESC LIMIT 1) n \
     ORDER BY n.seq DESC LIMIT 1) e \
     LEFT JOIN members m ON m.tenant_id = $1 AND m.user_id::text = e.actor_id \
     LEFT JOIN users u ON u.user_id = m.user_id \
     LEFT JOIN api_keys k ON k.tenant_id = $1 AND k.id::text = e.actor_id), \
     figures AS (SELECT l.id, (extract(epoch FROM v.activated_at) * 1000)::bigint AS active_since, \
     (extract(epoch FROM c.occurred_at) * 1000)::bigint AS changed_at, c.name FROM listed l \
     LEFT JOIN policy_versions v ON v.tenant_id = $1 AND v.policy_id = l.id AND v.version = l.active_version \
     LEFT JOIN changes c ON c.id = l.id), \
     totals AS (SELECT policy_id, floor(extract(epoch FROM hour - $3) / $5)::bigint AS bucket, \
     sum(decisions)::bigint AS decisions, \
     coalesce(sum(decisions) FILTER (WHERE decision = 'DENY'), 0)::bigint AS denied FROM policy_hours \
     WHERE tenant_id = $1 AND policy_id = ANY ($2) AND hour >= $3 AND hour < $4 GROUP BY 1, 2) \
     SELECT count(*), count(active_version), count(draft_version), \
     (SELECT coalesce(json_agg(json_build_array(id, active_since, changed_at, name)), '[]')::text \
       FROM figures), \
     (SELECT coalesce(json_agg(json_build_array(policy_id, bucket, decisions, denied)), '[]')::text \
       FROM totals) \
     FROM policies WHERE tenant_id = $1";

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
    let row = tx.one(SELECT_FIGURES, values).await?;
    tx.finish_read().await?;
    let row = row.ok_or_else(|| Error::bug("a query without a row"))?;
    let time = |ms: Option<i64>| ms.and_then(Timestamp::from_millis);
    let figures = json::<Vec<FigureRow>>(&row, 3)?;
    let figures = figures.into_iter().map(|(policy, active_since, changed_at, by)| {
        let last_change = time(changed_at).map(|at| LastChange { at, by });
        let totals = PolicyTotals::default();
        (policy, PolicyFigures { active_since: time(active_since), last_change, totals })
    });
    let mut figures: BTreeMap<_, _> = figures.collect();
    for (policy, bucket, decisions, denied) in json::<Vec<(PolicyId, i64, i64, i64)>>(&row, 4)? {
        let totals = &mut figures.entry(policy).or_default().totals;
        totals.decisions += decisions;
        totals.denied += denied;
        let bucket = usize::try_from(bucket).ok().and_then(|index| totals.buckets.get_mut(index));
        if let Some(bucket) = bucket {
            *bucket += decisions;
        }
    }
    let counts = PolicyCounts {
        policies: row.try_get_by_index(0)?,
        active: row.try_get_by_index(1)?,
        open: row.try_get_by_index(2)?,
    };
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
