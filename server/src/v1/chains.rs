//! Decision chain endpoints.

use axum::response::{IntoResponse, Response};
use contract::{
    chain::{Chain, ChainSeal, ChainVerification},
    error::ErrorBody,
    id::ChainId,
    pagination::Page,
    policy::EmptyBody,
};
use governance::{
    deciding::chain,
    proof::bundle::{self, BundleSource},
};
use http::{HeaderMap, StatusCode, header};

use super::{
    log::{wait_for, wait_until_anchored},
    public::{bundle_format, bundle_response, public_json},
};
use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Json, NoBody, Path, Public, Query, RequestStorePermit},
};

/// List decision chains, newest first.
#[utoipa::path(
    get, path = "/v1/chains", tag = "chains",
    params(
        ("limit" = Option<u32>, Query, description = "Page size, 1 to 200 (default 50)"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the previous page"),
    ),
    responses((status = 200, body = Page<Chain>), (status = 422, body = ErrorBody))
)]
pub async fn list(Authorized(cx): Authorized, mut query: Query) -> ApiResult<Json<Page<Chain>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(chain::list(&cx, &page).await?))
}

/// Seal a decision chain.
///
/// A sealed chain accepts no further steps. Sealing it again returns the same seal. A chain that fails
/// verification is not sealed.
#[utoipa::path(
    post, path = "/v1/chains/{chain_id}/seal", tag = "chains", request_body = EmptyBody,
    params(("chain_id" = String, Path, description = "The ID of the chain")),
    responses(
        (status = 201, description = "Sealed", body = ChainSeal),
        (status = 200, description = "Already sealed", body = ChainSeal),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the chain fails verification", body = ErrorBody),
        (status = 503, description = "`SERVICE_UNAVAILABLE`: too many chains and bundles are being checked; retry after `retry_after` seconds", body = ErrorBody),
    )
)]
pub async fn seal(
    Authorized(cx): Authorized,
    Path((id,)): Path<(ChainId,)>,
    _: NoBody,
) -> ApiResult<Response> {
    let sealing = chain::seal(&cx, id).await?;
    if !sealing.is_new {
        return Ok(Json(sealing.sealed).into_response());
    }
    let location = format!("/v1/chains/{id}/seal");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(sealing.sealed)).into_response())
}

/// Read the public seal of a chain.
///
/// Returns 404 while the chain is open.
#[utoipa::path(
    get, path = "/v1/chains/{chain_id}/seal", tag = "verification", security(()),
    params(
        ("chain_id" = String, Path, description = "The ID of the chain"),
        ("wait_for" = Option<String>, Query, description = "`anchor` waits up to 5 s until the seal is anchored in the transparency log"),
    ),
    responses(
        (status = 200, body = ChainSeal),
        (status = 304, description = "Not modified: `If-None-Match` contains the current ETag"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn read_seal(
    Public(cx): Public,
    Path((id,)): Path<(ChainId,)>,
    mut query: Query,
    headers: HeaderMap,
    permit: RequestStorePermit,
) -> ApiResult<Response> {
    let wait = wait_for(&mut query);
    query.finish()?;
    let read = || chain::read_seal(&cx, id);
    let is_anchored = |seal: &ChainSeal| seal.transparency_anchor.is_some();
    public_json(&headers, &wait_until_anchored(&cx, wait, &permit, read, is_anchored).await?)
}

/// Verify a chain from its stored bytes.
///
/// Checks every link, every receipt in the chain, and the seal. `problems` lists failures of the claim
/// `chain_proofs` of a verification bundle; `warnings` do not indicate tampering. The same links can be
/// verified offline.
#[utoipa::path(
    get, path = "/v1/chains/{chain_id}/verify", tag = "verification", security(()),
    params(("chain_id" = String, Path, description = "The ID of the chain")),
    responses(
        (status = 200, body = ChainVerification),
        (status = 304, description = "Not modified: `If-None-Match` contains the current ETag"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn verify(
    Public(cx): Public,
    Path((id,)): Path<(ChainId,)>,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    query.finish()?;
    public_json(&headers, &chain::verify(&cx, id).await?)
}

/// Export the verification bundle of a chain.
///
/// Contains all links and receipts, and the seal if there is one. Returns an archive, or with `format=json`
/// the same files as one JSON object.
#[utoipa::path(
    get, path = "/v1/chains/{chain_id}/bundle", tag = "verification", security(()),
    params(
        ("chain_id" = String, Path, description = "The ID of the chain"),
        ("format" = Option<String>, Query, description = "`tar` (default) or `json`"),
    ),
    responses(
        (status = 200, description = "The bundle", content(
            (Vec<u8> = "application/x-tar"),
            (Object = "application/vnd.service.bundle.v1+json"),
        )),
        (status = 304, description = "Not modified: `If-None-Match` contains the current ETag"),
        (status = 404, body = ErrorBody),
        (status = 422, description = "`BUNDLE_TOO_LARGE`, `VALIDATION_ERROR`", body = ErrorBody),
        (status = 503, description = "`SERVICE_UNAVAILABLE`: too many bundles are being exported; retry after `retry_after` seconds", body = ErrorBody),
    )
)]
pub async fn read_bundle(
    Public(cx): Public,
    Path((id,)): Path<(ChainId,)>,
    mut query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let format = bundle_format(&mut query);
    query.finish()?;
    let export = bundle::export(&cx, BundleSource::Chain(id), format).await?;
    Ok(bundle_response(&headers, &export, format, &format!("chain-{id}")))
}
