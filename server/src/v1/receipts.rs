//! Receipt endpoint. It is public.

use axum::response::Response;
use contract::{id::DecisionId, receipt::Receipt};
use governance::deciding::decision;
use http::HeaderMap;

use super::{
    anchor::{WaitFor, wait_until_anchored},
    conditional::{NotModified, public_json},
};
use crate::edge::{
    error::ApiResult,
    extract::{Path, Public, RequestStorePermit},
    query::Query,
};

/// Read the public receipt of a decision.
#[utoipa::path(
    get, path = "/v1/receipts/{decision_id}", tag = "verification", security(()),
    params(Query<Option<WaitFor>>),
    responses((status = 200, body = Receipt), NotModified)
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
