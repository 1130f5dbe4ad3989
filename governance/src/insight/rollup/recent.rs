//! The decisions in a time span by hour, and their number in the span before it.

use super::{Bucket, Span, json, load_current};
use crate::{access::permission, base::prelude::*};

/// The numbers of decisions, without those of which all evaluated policies were in shadow mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentDecisions {
    /// The number of decisions in the span before.
    pub previous: i64,
    /// The decisions in the span by bucket and verdict. Entries without decisions are omitted.
    pub verdicts: Vec<(Bucket, Verdict, i64)>,
}

// SQL: sums of some rows each, and whether decisions are not counted yet, in one round trip. `$2` is the start of the
// span before, `$3` and `$4` are the ends of the span, `$5` is the length of a bucket in seconds.
const SELECT_RECENT: &str = "SELECT coalesce((SELECT sequence FROM rollup_cursors WHERE tenant_id = $1), 0) \
       < (SELECT audit_seq FROM tenant_heads WHERE tenant_id = $1), \
     (SELECT coalesce(sum(decisions), 0)::bigint FROM decision_hours \
       WHERE tenant_id = $1 AND hour >= $2 AND hour < $3 AND NOT is_shadow), \
     (SELECT coalesce(json_agg(json_build_array(bucket, decision, decisions)), '[]')::text FROM ( \
       SELECT floor(extract(epoch FROM hour - $3) / $5)::bigint AS bucket, decision, \
         sum(decisions)::bigint AS decisions FROM decision_hours \
         WHERE tenant_id = $1 AND hour >= $3 AND hour < $4 AND NOT is_shadow \
         GROUP BY 1, 2) buckets)";

/// Returns the decisions in a span, and their number in the span of the same length before it. Aggregates new records
/// first. If there are none, it runs one query.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that lacks the scope to read decisions.
pub async fn recent(cx: &Cx, span: Span) -> Result<RecentDecisions> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let [before, from, to] = [span.previous_start(), span.from, span.to].map(timestamp_value);
    let values = [before, from, to, (span.step_ms / 1_000).into()];
    let current = load_current(&tenant, SELECT_RECENT, values).await?;
    let (row, _) = current.or_bug("a query without a row")?;
    let verdicts: Vec<(i64, Verdict, i64)> = json(&row, 2)?;
    let verdict = |(index, verdict, decisions)| (span.bucket(index), verdict, decisions);
    Ok(RecentDecisions {
        previous: row.try_get_by_index(1)?,
        verdicts: verdicts.into_iter().map(verdict).collect(),
    })
}
