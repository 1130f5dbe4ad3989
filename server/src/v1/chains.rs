//! Decision chain endpoints.

use axum::response::{IntoResponse, Response};
use contract::{
    chain::{Chain, ChainFilter, ChainSeal, ChainVerification},
    id::ChainId,
    pagination::Page,
};
use endpoint_macro::{get, post};
use governance::{
    PageRequest,
    access::permission::{READ_DECISIONS, SEAL_CHAINS},
    deciding::chain,
};
use http::HeaderMap;

use super::{
    anchor::{WaitFor, wait_until_anchored},
    conditional::{Tagged, public_json},
};
use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Created, Json, Path, Public, RequestStorePermit},
    query::{Filters, Query},
};

/// List decision chains, newest first.
#[get("/v1/chains", READ_DECISIONS)]
pub async fn list(
    Authorized(cx): Authorized,
    Query((Filters(filter), page)): Query<(Filters<ChainFilter>, PageRequest)>,
) -> ApiResult<Json<Page<Chain>>> {
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
pub async fn seal(
    Authorized(cx): Authorized,
    Path((id,)): Path<(ChainId,)>,
) -> ApiResult<Response> {
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
pub async fn read_seal(
    Public(cx): Public,
    Path((id,)): Path<(ChainId,)>,
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
pub async fn verify(
    Public(cx): Public,
    Path((id,)): Path<(ChainId,)>,
    headers: HeaderMap,
) -> ApiResult<Tagged<ChainVerification>> {
    public_json(&headers, &chain::verify(&cx, id).await?)
}
