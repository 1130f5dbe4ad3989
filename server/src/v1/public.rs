//! What anyone may read: receipts, and the keys to check them with.

use axum::{
    body::Bytes,
    response::{IntoResponse, Response},
};
use contract::{
    error::ErrorBody,
    id::DecisionId,
    json::{Object, Value},
    receipt::Receipt,
};
use governance::{Error, decision};
use http::{HeaderMap, StatusCode, header};
use receipt::digest::Digest;

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
    let text = serde_json::to_string(&receipt).map_err(|error| Error::Bug(error.into()))?;
    Ok(public(&headers, text, "application/json", "no-cache").into_response())
}

/// When the key set was succeeded by the trust registry: 2026-06-01T00:00:00Z.
const DEPRECATED: &str = "@1780272000";

/// Where the trust registry is.
const SUCCESSOR: &str = "/v1/.well-known/trust-registry";

/// The public signing keys, as a JSON Web Key Set.
#[utoipa::path(
    get, path = "/v1/.well-known/signing-keys", tag = "verification", security(()),
    responses((status = 200, description = "RFC 7517 key set", content_type = "application/jwk-set+json"))
)]
pub async fn signing_keys(caller: Caller, query: Query, headers: HeaderMap) -> Reply<Response> {
    query.finish()?;
    let deprecation = Object::from([("successor", Value::from(SUCCESSOR))]);
    let keys = Value::from(Object::from([
        ("keys", Value::from(caller.governance.signing_keys())),
        ("deprecation", deprecation.into()),
    ]));
    let link = format!("<{SUCCESSOR}>; rel=\"successor-version\"");
    let notice = [("deprecation", DEPRECATED.to_owned()), ("link", link)];
    let answer = public(&headers, keys.to_canonical(), "application/jwk-set+json", "max-age=300");
    Ok((notice, answer).into_response())
}

/// An answer that anyone may read from anywhere, with its `ETag`; 304 when the reader has it.
pub(super) fn public(
    headers: &HeaderMap,
    body: impl Into<Bytes>,
    content_type: &'static str,
    cache: &'static str,
) -> impl IntoResponse {
    let body = body.into();
    let etag = format!("\"{}\"", Digest::of(&body));
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
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*".to_owned()),
    ];
    if is_known {
        (StatusCode::NOT_MODIFIED, answer, Bytes::new())
    } else {
        (StatusCode::OK, answer, body)
    }
}
