//! Public endpoints: receipts, verification bundles and keys.

use std::{num::NonZeroU32, sync::Arc};

use axum::{
    body::Bytes,
    response::{IntoResponse, Response},
};
use contract::{error::ErrorBody, id::DecisionId, receipt::Receipt};
use governance::{
    Error,
    deciding::decision,
    proof::{
        bundle::{self, BundleSource, Export, Format},
        trust_registry,
    },
};
use http::{HeaderMap, StatusCode, header};
use receipt::digest::Digest;
use serde::Serialize;

use super::log::{wait_for, wait_until_anchored};
use crate::edge::{
    error::ApiResult,
    extract::{Path, Public, Query, RequestContext, RequestStorePermit},
};

/// Read the public receipt of a decision.
#[utoipa::path(
    get, path = "/v1/receipts/{decision_id}", tag = "verification", security(()),
    params(
        ("decision_id" = String, Path, description = "The ID of the decision"),
        ("wait_for" = Option<String>, Query, description = "`anchor` waits up to 5 s until the receipt is anchored in the transparency log"),
    ),
    responses(
        (status = 200, body = Receipt),
        (status = 304, description = "Not modified: `If-None-Match` contains the current ETag"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn receipt(
    Public(cx): Public,
    Path((id,)): Path<(DecisionId,)>,
    mut query: Query,
    headers: HeaderMap,
    permit: RequestStorePermit,
) -> ApiResult<Response> {
    let wait = wait_for(&mut query);
    query.finish()?;
    let read = || decision::receipt(&cx, id);
    let is_anchored = |receipt: &Receipt| receipt.transparency_anchor.is_some();
    let receipt = wait_until_anchored(&cx, wait, &permit, read, is_anchored).await?;
    public_json(&headers, &receipt)
}

/// The time at which the trust registry replaced the key set: 2026-06-01T00:00:00Z.
const DEPRECATED: &str = "@1780272000";

/// The path of the trust registry.
const SUCCESSOR: &str = "/v1/.well-known/trust-registry";

/// Read the public signing keys as a JSON Web Key Set.
///
/// Contains active and retired keys, but no revoked ones. Deprecated: the trust registry replaces it, and
/// also lists the purpose and the validity period of each key.
#[utoipa::path(
    get, path = "/v1/.well-known/signing-keys", tag = "verification", security(()),
    responses((status = 200, description = "RFC 7517 key set", content_type = "application/jwk-set+json"))
)]
pub async fn signing_keys(
    context: RequestContext,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    query.finish()?;
    let keys = trust_registry::signing_keys(&context.governance).await?;
    let link = format!("<{SUCCESSOR}>; rel=\"successor-version\"");
    let notice = [("deprecation", DEPRECATED.to_owned()), ("link", link)];
    let response =
        public_response(&headers, keys.to_canonical(), "application/jwk-set+json", "max-age=300");
    Ok((notice, response).into_response())
}

/// Read a version of the trust registry.
///
/// Returns the newest version, or the one that `version` selects. The response is an envelope that root keys
/// of the service signed. It lists the keys of the service with their purposes, validity periods and status.
/// An issued version never changes. `govern trust show` lists the root keys to pin.
#[utoipa::path(
    get, path = "/v1/.well-known/trust-registry", tag = "verification", security(()),
    params(("version" = Option<u32>, Query, description = "The number of the version (default: the newest)")),
    responses(
        (status = 200, description = "An envelope over `service-trust-registry/v1`", body = Object),
        (status = 304, description = "Not modified: `If-None-Match` contains the current ETag"),
        (status = 404, description = "`NOT_FOUND`: the version does not exist, or no version was issued", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn trust_registry(
    Public(cx): Public,
    mut query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let version = query.parsed::<NonZeroU32>("version", "a whole number of at least 1");
    query.finish()?;
    let published = trust_registry::version(&cx, version.map(NonZeroU32::get)).await?;
    // The newest version is not cached, so that a revocation becomes visible immediately.
    let cache = if published.is_fixed { CACHE_IMMUTABLE } else { "no-cache" };
    Ok(public_response(&headers, published.envelope, "application/json", cache).into_response())
}

/// The cache policy of immutable responses: one year.
pub(super) const CACHE_IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Export the verification bundle of a decision, with everything to verify it offline.
///
/// Returns an archive, or with `format=json` the same files as one JSON object. `govern-verify` verifies
/// both; get the trusted keys from another source. The same decision returns the same bytes while its chain
/// and the trust registry do not change.
#[utoipa::path(
    get, path = "/v1/receipts/{decision_id}/bundle", tag = "verification", security(()),
    params(
        ("decision_id" = String, Path, description = "The ID of the decision"),
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
pub async fn decision_bundle(
    Public(cx): Public,
    Path((id,)): Path<(DecisionId,)>,
    mut query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let format = bundle_format(&mut query);
    query.finish()?;
    let export = bundle::export(&cx, BundleSource::Decision(id), format).await?;
    Ok(bundle_response(&headers, &export, format, &format!("decision-{id}")))
}

/// Returns the bundle format that the query selects.
pub(super) fn bundle_format(query: &mut Query) -> Format {
    query.parsed("format", "`tar` or `json`").unwrap_or_default()
}

/// Returns the response for a bundle, with a file name for downloads.
pub(super) fn bundle_response(
    headers: &HeaderMap,
    export: &Export,
    format: Format,
    name: &str,
) -> Response {
    let (content_type, ending) = match format {
        Format::Archive => ("application/x-tar", "tar"),
        Format::Json => ("application/vnd.service.bundle.v1+json", "json"),
    };
    let name = format!("attachment; filename=\"{name}.{ending}\"");
    let bytes = Bytes::from_owner(Arc::clone(&export.bytes));
    let response = response_with_etag(headers, bytes, &export.digest, content_type, "no-cache");
    ([(header::CONTENT_DISPOSITION, name)], response).into_response()
}

/// Returns a public JSON response that clients must revalidate.
pub(super) fn public_json(headers: &HeaderMap, body: &impl Serialize) -> ApiResult<Response> {
    cached_json(headers, body, "no-cache")
}

/// Returns a public JSON response with the cache policy `cache`.
pub(super) fn cached_json(
    headers: &HeaderMap,
    body: &impl Serialize,
    cache: &'static str,
) -> ApiResult<Response> {
    let text = serde_json::to_string(body).map_err(|error| Error::Bug(error.into()))?;
    Ok(public_response(headers, text, "application/json", cache).into_response())
}

/// Returns a public response with its `ETag`, or 304 if the client has it.
pub(super) fn public_response(
    headers: &HeaderMap,
    body: impl Into<Bytes>,
    content_type: &'static str,
    cache: &'static str,
) -> impl IntoResponse {
    let body = body.into();
    let digest = Digest::compute(&body).to_string();
    response_with_etag(headers, body, &digest, content_type, cache)
}

/// Does the same as [`public_response`] for bytes with a known digest.
fn response_with_etag(
    headers: &HeaderMap,
    body: Bytes,
    digest: &str,
    content_type: &'static str,
    cache: &'static str,
) -> impl IntoResponse + use<> {
    let etag = format!("\"{digest}\"");
    let client_etags = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let is_unchanged = client_etags.is_some_and(|client_etags| {
        client_etags
            .split(',')
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == "*" || tag == etag)
    });
    let response_headers = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::ETAG, etag),
        (header::CACHE_CONTROL, cache.to_owned()),
    ];
    if is_unchanged {
        (StatusCode::NOT_MODIFIED, response_headers, Bytes::new())
    } else {
        (StatusCode::OK, response_headers, body)
    }
}
