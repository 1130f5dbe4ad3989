//! Stored policy snapshots.

use contract::{error::ErrorBody, id::SnapshotId, snapshot::PolicySnapshot};
use governance::snapshot;

use crate::edge::{
    error::Reply,
    extract::{Api, Json, Path, Query},
};

/// Read the policies of a decision as they were in force, and hashed.
#[utoipa::path(
    get, path = "/v1/snapshots/{id}", tag = "policies",
    params(("id" = String, Path, description = "`policy_snapshot_id` of a decision")),
    responses((status = 200, body = PolicySnapshot), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Api(cx): Api,
    Path((id,)): Path<(SnapshotId,)>,
    query: Query,
) -> Reply<Json<PolicySnapshot>> {
    query.finish()?;
    Ok(Json(snapshot::read(&cx, id).await?))
}
