//! Decision chain endpoints.

use axum::response::{IntoResponse, Response};
use contract::{
    chain::{Chain, ChainFilter, ChainSeal, ChainVerification},
    id::ChainId,
    pagination::Page,
};
use governance::{PageRequest, deciding::chain};
use http::HeaderMap;

use super::{
    anchor::{WaitFor, wait_until_anchored},
    conditional::{Tagged, public_json},
};
use crate::edge::{
    ApiResult, Authorized, Created, Filters, Id, Json, JsonResult, Public, Query,
    RequestStorePermit,
};

/// List decision chains, newest first.
#[get("/v1/chains", READ_DECISIONS)]
async fn list(
    cx: Authorized,
    Query((Filters(filter), page)): Query<(Filters<ChainFilter>, PageRequest)>,
) -> JsonResult<Page<Chain>> {
    Ok(Json(chain::list(&cx, filter, &page).await?))
}

/// Seal a decision chain.
///
/// A sealed chain accepts no further steps. Sealing it again returns the same seal. A chain that fails
/// verification is not sealed.
#[post(
    "/v1/chains/{chain_id}/seal", SEAL_CHAINS, audit = "chain.seal",
    answer = Created<ChainSeal>,
    201 = "Sealed",
    200 = "Already sealed",
    409 = "`CONFLICT`: the chain fails verification",
    503 = "`SERVICE_UNAVAILABLE`: too many chains and bundles are being checked; retry after `retry_after` seconds",
)]
async fn seal(cx: Authorized, Id(id): Id<ChainId>) -> ApiResult<Response> {
    let sealing = chain::seal(&cx, id).await?;
    if !sealing.is_new {
        return Ok(Json(sealing.sealed).into_response());
    }
    Ok(Created(format!("/v1/chains/{id}/seal"), sealing.sealed).into_response())
}

/// Read the public seal of a chain.
///
/// Returns 404 while the chain is open.
#[get("/v1/chains/{chain_id}/seal", any_origin, tag = "verification")]
async fn read_seal(
    cx: Public,
    Id(id): Id<ChainId>,
    Query(wait): Query<Option<WaitFor>>,
    headers: HeaderMap,
    permit: RequestStorePermit,
) -> ApiResult<Tagged<ChainSeal>> {
    let read = || chain::read_seal(&cx, id);
    let is_anchored = |seal: &ChainSeal| seal.transparency_anchor.is_some();
    public_json(&headers, &wait_until_anchored(&cx, wait, &permit, read, is_anchored).await?)
}

/// Verify a chain from its stored bytes.
///
/// Checks every link, every receipt in the chain, and the seal. `problems` lists failures of the claim
/// `chain_proofs` of a verification bundle; `warnings` do not indicate tampering. The same links can be
/// verified offline.
#[get("/v1/chains/{chain_id}/verify", any_origin, tag = "verification")]
async fn verify(
    cx: Public,
    Id(id): Id<ChainId>,
    headers: HeaderMap,
) -> ApiResult<Tagged<ChainVerification>> {
    public_json(&headers, &chain::verify(&cx, id).await?)
}
