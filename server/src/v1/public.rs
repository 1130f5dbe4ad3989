//! What anyone may read: receipts, and the keys to check them with.

use std::{num::NonZeroU32, sync::Arc};

use axum::{
    body::Bytes,
    response::{IntoResponse, Response},
};
use contract::{error::ErrorBody, id::DecisionId, receipt::Receipt};
use governance::{
    Error,
    bundle::{self, Export, Format, Of},
    decision, trust,
};
use http::{HeaderMap, StatusCode, header};
use receipt::digest::Digest;
use serde::Serialize;

use super::log::{patiently, wait_for};
use crate::edge::{
    error::Reply,
    extract::{Caller, Path, Public, Query, Standing},
};

/// The public receipt of a decision.
#[utoipa::path(
    get, path = "/v1/receipts/{decision_id}", tag = "verification", security(()),
    params(
        ("decision_id" = String, Path, description = "The decision"),
        ("wait_for" = Option<String>, Query, description = "`anchor`: wait up to 5 s until it is in the transparency log"),
    ),
    responses(
        (status = 200, body = Receipt),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn receipt(
    Public(cx): Public,
    Path((id,)): Path<(DecisionId,)>,
    mut query: Query,
    headers: HeaderMap,
    standing: Standing,
) -> Reply<Response> {
    let wait = wait_for(&mut query);
    query.finish()?;
    let read = || decision::receipt(&cx, id);
    let anchored = |receipt: &Receipt| receipt.transparency_anchor.is_some();
    let receipt = patiently(&cx, wait, &standing, read, anchored).await?;
    public_json(&headers, &receipt)
}

/// When the key set was succeeded by the trust registry: 2026-06-01T00:00:00Z.
const DEPRECATED: &str = "@1780272000";

/// Where the trust registry is.
const SUCCESSOR: &str = "/v1/.well-known/trust-registry";

/// The public signing keys, as a JSON Web Key Set: active and retired ones, no revoked ones.
///
/// Superseded by the trust registry, which says too what each key is for, and how long.
#[utoipa::path(
    get, path = "/v1/.well-known/signing-keys", tag = "verification", security(()),
    responses((status = 200, description = "RFC 7517 key set", content_type = "application/jwk-set+json"))
)]
pub async fn signing_keys(caller: Caller, query: Query, headers: HeaderMap) -> Reply<Response> {
    query.finish()?;
    let keys = trust::signing_keys(&caller.governance).await?;
    let link = format!("<{SUCCESSOR}>; rel=\"successor-version\"");
    let notice = [("deprecation", DEPRECATED.to_owned()), ("link", link)];
    let answer = public(&headers, keys.to_canonical(), "application/jwk-set+json", "max-age=300");
    Ok((notice, answer).into_response())
}

/// A version of the trust registry: the newest one, or the one that `version` names.
///
/// An envelope that root keys of the service signed, over its keys, what each is for, how long and how it
/// stands. A version that was issued never changes; `govern trust show` tells which roots to pin.
#[utoipa::path(
    get, path = "/v1/.well-known/trust-registry", tag = "verification", security(()),
    params(("version" = Option<u32>, Query, description = "1, 2, 3, …; the newest when absent")),
    responses(
        (status = 200, description = "An envelope over `service-trust-registry/v1`", body = Object),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, description = "`NOT_FOUND`: no such version, or none yet", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn trust_registry(
    Public(cx): Public,
    mut query: Query,
    headers: HeaderMap,
) -> Reply<Response> {
    let version = query.parsed::<NonZeroU32>("version", "a whole number of at least 1");
    query.finish()?;
    let published = trust::version(&cx, version.map(NonZeroU32::get)).await?;
    // A revocation is told at once.
    let cache = if published.is_fixed { FOR_EVER } else { "no-cache" };
    Ok(public(&headers, published.envelope, "application/json", cache).into_response())
}

/// How what never changes is cached: for a year.
pub(super) const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// The verification bundle of a decision: everything that is needed to check it offline.
///
/// An archive, or with `format=json` the same members as one JSON text. `govern-verify` checks either;
/// what is trusted must come from elsewhere. The same decision gives the same bytes, while its chain and
/// the trust registry are the same.
#[utoipa::path(
    get, path = "/v1/receipts/{decision_id}/bundle", tag = "verification", security(()),
    params(
        ("decision_id" = String, Path, description = "The decision"),
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
pub async fn decision_bundle(
    Public(cx): Public,
    Path((id,)): Path<(DecisionId,)>,
    mut query: Query,
    headers: HeaderMap,
) -> Reply<Response> {
    let format = bundle_format(&mut query);
    query.finish()?;
    let export = bundle::export(&cx, Of::Decision(id), format).await?;
    Ok(answer(&headers, &export, format, &format!("decision-{id}")))
}

/// The form of a bundle that a query asks for.
pub(super) fn bundle_format(query: &mut Query) -> Format {
    query.parsed("format", "`tar` or `json`").unwrap_or_default()
}

/// A bundle, under a name that browsers keep it by.
pub(super) fn answer(headers: &HeaderMap, export: &Export, format: Format, name: &str) -> Response {
    let (content_type, ending) = match format {
        Format::Archive => ("application/x-tar", "tar"),
        Format::Json => ("application/vnd.service.bundle.v1+json", "json"),
    };
    let name = format!("attachment; filename=\"{name}.{ending}\"");
    let bytes = Bytes::from_owner(Arc::clone(&export.bytes));
    let answer = tagged(headers, bytes, &export.digest, content_type, "no-cache");
    ([(header::CONTENT_DISPOSITION, name)], answer).into_response()
}

/// What anyone may read from anywhere as JSON, and keeps only to ask whether it has changed.
pub(super) fn public_json(headers: &HeaderMap, body: &impl Serialize) -> Reply<Response> {
    cached_json(headers, body, "no-cache")
}

/// The same, for those who cache it as `cache` says.
pub(super) fn cached_json(
    headers: &HeaderMap,
    body: &impl Serialize,
    cache: &'static str,
) -> Reply<Response> {
    let text = serde_json::to_string(body).map_err(|error| Error::Bug(error.into()))?;
    Ok(public(headers, text, "application/json", cache).into_response())
}

/// An answer that anyone may read, with its `ETag`; 304 when the reader has it.
pub(super) fn public(
    headers: &HeaderMap,
    body: impl Into<Bytes>,
    content_type: &'static str,
    cache: &'static str,
) -> impl IntoResponse {
    let body = body.into();
    let digest = Digest::of(&body).to_string();
    tagged(headers, body, &digest, content_type, cache)
}

/// The same of bytes whose digest is known.
fn tagged(
    headers: &HeaderMap,
    body: Bytes,
    digest: &str,
    content_type: &'static str,
    cache: &'static str,
) -> impl IntoResponse + use<> {
    let etag = format!("\"{digest}\"");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let is_known = known.is_some_and(|known| {
        known
            .split(',')
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == "*" || tag == etag)
    });
    let answer = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::ETAG, etag),
        (header::CACHE_CONTROL, cache.to_owned()),
    ];
    if is_known {
        (StatusCode::NOT_MODIFIED, answer, Bytes::new())
    } else {
        (StatusCode::OK, answer, body)
    }
}
