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
        ("id" = String, Path, description = "The policy"),
        ("from" = Option<String>, Query, description = "RFC 3339; 30 days before `to`, or with \
         `bucket=hour` a day, when absent"),
        ("to" = Option<String>, Query, description = "RFC 3339; now when absent"),
        ("bucket" = Option<String>, Query, description = "`hour` or `day` (UTC), default `day`"),
    ),
    responses(
        (status = 200, body = Analytics),
        (status = 404, body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`: a span of more than 1,000 parts is one too",
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
