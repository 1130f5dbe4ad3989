//! Receipt endpoint. It is public.

use axum::response::Response;
use contract::{error::ErrorBody, id::DecisionId, receipt::Receipt};
use governance::deciding::decision;
use http::HeaderMap;

use super::{
    anchor::{WaitFor, wait_until_anchored},
    conditional::public_json,
};
use crate::edge::{
    error::ApiResult,
    extract::{Path, Public, RequestStorePermit},
    query::Query,
};

/// Read the public receipt of a decision.
#[utoipa::path(
    get, path = "/v1/receipts/{decision_id}", tag = "verification", security(()),
    params(
        ("decision_id" = String, Path, description = "The ID of the decision"),
        Query<Option<WaitFor>>,
    ),
    responses(
        (status = 200, body = Receipt),
        (status = 304, description = "Not modified: `If-None-Match` contains the current ETag"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn read(
    Public(cx): Public,
    Path((id,)): Path<(DecisionId,)>,
    Query(wait): Query<Option<WaitFor>>,
    headers: HeaderMap,
    permit: RequestStorePermit,
) -> ApiResult<Response> {
    let read = || decision::receipt(&cx, id);
    let is_anchored = |receipt: &Receipt| receipt.transparency_anchor.is_some();
    let receipt = wait_until_anchored(&cx, wait, &permit, read, is_anchored).await?;
    public_json(&headers, &receipt)
}
