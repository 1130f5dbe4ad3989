//! Policy snapshot endpoints.

use contract::{id::SnapshotId, snapshot::PolicySnapshot};
use governance::deciding::snapshot;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Json, Path},
    query::NoQuery,
};

/// Read the policy snapshot of a decision, as it was hashed.
#[utoipa::path(
    get, path = "/v1/snapshots/{id}", tag = "policies",
    params(
        ("id" = String, Path, description = "The ID of the snapshot, `policy_snapshot_id` of a decision"),
    ),
    responses((status = 200, body = PolicySnapshot))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(SnapshotId,)>,
    _: NoQuery,
) -> ApiResult<Json<PolicySnapshot>> {
    Ok(Json(snapshot::read(&cx, id).await?))
}
