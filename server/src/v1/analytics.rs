//! Analytics of a policy.

use contract::{
    analytics::{Analytics, BucketSize},
    id::PolicyId,
    time::Timestamp,
};
use governance::insight::rollup;

use crate::edge::{Authorized, FromQuery, Id, Json, JsonResult, Query, QueryReader};

/// Read the analytics of a policy.
///
/// Counts decisions by verdict over time, and the results of each rule.
#[get(
    "/v1/policies/{id}/analytics", READ_POLICY_DECISIONS,
    422 = "`VALIDATION_ERROR`, also for more than 1,000 buckets",
)]
async fn read(
    cx: Authorized,
    Id(id): Id<PolicyId>,
    Query(AnalyticsRange { from, to, bucket }): Query<AnalyticsRange>,
) -> JsonResult<Analytics> {
    Ok(Json(rollup::analytics(&cx, id, from, to, bucket).await?))
}

/// The time range of the analytics, and the length of its buckets.
struct AnalyticsRange {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    bucket: BucketSize,
}

impl FromQuery for AnalyticsRange {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let from = "Start of the time range, RFC 3339 (default: 30 days before `to`, or one day with \
                    `bucket=hour`)";
        let to = "End of the time range, RFC 3339 (default: now)";
        let bucket = "Length of the buckets; days are in UTC (default: `day`)";
        Some(Self {
            from: query.get("from", from),
            to: query.get("to", to),
            bucket: query.get("bucket", bucket).unwrap_or_default(),
        })
    }
}
