//! Policy snapshot endpoints.

use contract::{id::SnapshotId, snapshot::PolicySnapshot};
use governance::deciding::snapshot;

use crate::edge::{Authorized, Id, Json, JsonResult};

/// Read the policy snapshot of a decision, as it was hashed.
#[get("/v1/snapshots/{id}", READ_POLICIES, tag = "policies")]
async fn read(cx: Authorized, Id(id): Id<SnapshotId>) -> JsonResult<PolicySnapshot> {
    Ok(Json(snapshot::read(&cx, id).await?))
}
