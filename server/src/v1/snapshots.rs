//! Policy snapshot endpoints.

use contract::{id::SnapshotId, snapshot::PolicySnapshot};
use endpoint_macro::get;
use governance::{access::permission::READ_POLICIES, deciding::snapshot};

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Json, Path},
};

/// Read the policy snapshot of a decision, as it was hashed.
#[get("/v1/snapshots/{id}", READ_POLICIES, tag = "policies")]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(SnapshotId,)>,
) -> ApiResult<Json<PolicySnapshot>> {
    Ok(Json(snapshot::read(&cx, id).await?))
}
