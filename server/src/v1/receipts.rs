//! Receipt endpoint. It is public.

use contract::{id::DecisionId, receipt::Receipt};
use governance::deciding::decision;
use http::HeaderMap;

use super::{
    anchor::{WaitFor, wait_until_anchored},
    conditional::{Tagged, public_json},
};
use crate::edge::{ApiResult, Id, Public, Query, RequestStorePermit};

/// Read the public receipt of a decision.
#[get("/v1/receipts/{decision_id}", any_origin, tag = "verification")]
async fn read(
    cx: Public,
    Id(id): Id<DecisionId>,
    Query(wait): Query<Option<WaitFor>>,
    headers: HeaderMap,
    permit: RequestStorePermit,
) -> ApiResult<Tagged<Receipt>> {
    let read = || decision::receipt(&cx, id);
    let is_anchored = |receipt: &Receipt| receipt.transparency_anchor.is_some();
    let receipt = wait_until_anchored(&cx, wait, &permit, read, is_anchored).await?;
    public_json(&headers, &receipt)
}
