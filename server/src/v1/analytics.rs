//! Analytics of a policy.

use contract::{analytics::Analytics, error::ErrorBody, id::PolicyId, time::Timestamp};
use governance::insight::rollup;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Json, Path, Query},
};

/// Read the analytics of a policy.
///
/// Counts decisions by verdict over time, and the results of each rule.
#[utoipa::path(
    get, path = "/v1/policies/{id}/analytics", tag = "policies",
    params(
        ("id" = String, Path, description = "The ID of the policy"),
        ("from" = Option<String>, Query, description = "Start of the time range, RFC 3339 (default: \
         30 days before `to`, or one day with `bucket=hour`)"),
        ("to" = Option<String>, Query, description = "End of the time range, RFC 3339 (default: now)"),
        ("bucket" = Option<String>, Query, description = "`hour` or `day`, in UTC (default `day`)"),
    ),
    responses(
        (status = 200, body = Analytics),
        (status = 404, body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`, also for more than 1,000 buckets",
            body = ErrorBody),
    )
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyId,)>,
    mut query: Query,
) -> ApiResult<Json<Analytics>> {
    let from: Option<Timestamp> = query.parsed("from", "an RFC 3339 date-time with an offset");
    let to: Option<Timestamp> = query.parsed("to", "an RFC 3339 date-time with an offset");
    let bucket = query.parsed("bucket", "`hour` or `day`");
    query.finish()?;
    Ok(Json(rollup::analytics(&cx, id, from, to, bucket.unwrap_or_default()).await?))
}
