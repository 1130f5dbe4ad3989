//! Chains of decisions.

use axum::response::{IntoResponse, Response};
use contract::{
    chain::{Chain, ChainVerification, SealedChain},
    error::ErrorBody,
    id::ChainId,
    page::Page,
    policy::Empty,
};
use governance::{
    bundle::{self, Of},
    chain,
};
use http::{HeaderMap, StatusCode, header};

use super::{
    log::{patiently, wait_for},
    public::{answer, bundle_format, public_json},
};
use crate::edge::{
    error::Reply,
    extract::{Api, Bodiless, Json, Path, Public, Query, Standing},
};

/// List the chains, the one begun last first.
#[utoipa::path(
    get, path = "/v1/chains", tag = "chains",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, body = Page<Chain>), (status = 422, body = ErrorBody))
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<Page<Chain>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(chain::list(&cx, &page).await?))
}

/// Seal a chain: it takes no further step. Again: the same seal.
///
/// A chain that does not verify as it is stored is not sealed.
#[utoipa::path(
    post, path = "/v1/chains/{chain_id}/seal", tag = "chains", request_body = Empty,
    params(("chain_id" = String, Path, description = "The chain")),
    responses(
        (status = 201, description = "Sealed", body = SealedChain),
        (status = 200, description = "Sealed before", body = SealedChain),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`CONFLICT`: it does not verify", body = ErrorBody),
    )
)]
pub async fn seal(Api(cx): Api, Path((id,)): Path<(ChainId,)>, _: Bodiless) -> Reply<Response> {
    let sealing = chain::seal(&cx, id).await?;
    if !sealing.is_new {
        return Ok(Json(sealing.sealed).into_response());
    }
    let location = format!("/v1/chains/{id}/seal");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(sealing.sealed)).into_response())
}

/// The public seal of a chain; 404 while it is open.
#[utoipa::path(
    get, path = "/v1/chains/{chain_id}/seal", tag = "verification", security(()),
    params(
        ("chain_id" = String, Path, description = "The chain"),
        ("wait_for" = Option<String>, Query, description = "`anchor`: wait up to 5 s until it is in the transparency log"),
    ),
    responses(
        (status = 200, body = SealedChain),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn read_seal(
    Public(cx): Public,
    Path((id,)): Path<(ChainId,)>,
    mut query: Query,
    headers: HeaderMap,
    standing: Standing,
) -> Reply<Response> {
    let wait = wait_for(&mut query);
    query.finish()?;
    let read = || chain::read_seal(&cx, id);
    let anchored = |seal: &SealedChain| seal.transparency_anchor.is_some();
    public_json(&headers, &patiently(&cx, wait, &standing, read, anchored).await?)
}

/// Check a chain from its stored bytes: every link, every receipt that it holds, and the seal.
///
/// `problems` are the failures of the claim `chain_proofs` of a verification bundle; `warnings` are no
/// tampering. The same links can be checked offline.
#[utoipa::path(
    get, path = "/v1/chains/{chain_id}/verify", tag = "verification", security(()),
    params(("chain_id" = String, Path, description = "The chain")),
    responses(
        (status = 200, body = ChainVerification),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn verify(
    Public(cx): Public,
    Path((id,)): Path<(ChainId,)>,
    query: Query,
    headers: HeaderMap,
) -> Reply<Response> {
    query.finish()?;
    public_json(&headers, &chain::verify(&cx, id).await?)
}

/// The verification bundle of a chain: all its links, its receipts, and its seal if it has one.
///
/// An archive, or with `format=json` the same members as one JSON text.
#[utoipa::path(
    get, path = "/v1/chains/{chain_id}/bundle", tag = "verification", security(()),
    params(
        ("chain_id" = String, Path, description = "The chain"),
        ("format" = Option<String>, Query, description = "`tar`, or `json`; `tar` when absent"),
    ),
    responses(
        (status = 200, description = "The bundle", content(
            (Vec<u8> = "application/x-tar"),
            (Object = "application/vnd.service.bundle.v1+json"),
        )),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, body = ErrorBody),
        (status = 422, description = "`BUNDLE_TOO_LARGE`, `VALIDATION_ERROR`", body = ErrorBody),
        (status = 503, description = "`SERVICE_UNAVAILABLE`: too many bundles are made at a time; send it again after `retry_after` seconds", body = ErrorBody),
    )
)]
pub async fn read_bundle(
    Public(cx): Public,
    Path((id,)): Path<(ChainId,)>,
    mut query: Query,
    headers: HeaderMap,
) -> Reply<Response> {
    let format = bundle_format(&mut query);
    query.finish()?;
    let export = bundle::export(&cx, Of::Chain(id), format).await?;
    Ok(answer(&headers, &export, format, &format!("chain-{id}")))
}
