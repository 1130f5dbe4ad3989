//! Responses with an `ETag`. A client that has the current version gets 304 without a body.

use std::marker::PhantomData;

use axum::{
    body::Bytes,
    response::{IntoResponse, Response},
};
use governance::Error;
use http::{HeaderMap, StatusCode, header};
use receipt::digest::Digest;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::ApiResult,
    endpoint::{Describe, Operation},
};

/// A JSON response with an `ETag`.
pub(super) struct Tagged<T> {
    response: Response,
    resource: PhantomData<fn() -> T>,
}

impl<T> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<T: ToSchema> Describe for Tagged<T> {
    fn describe(operation: &mut Operation) {
        operation.json_answer::<T>(200);
        operation.describe_status(304, "");
    }
}

/// The cache policy of immutable responses: one year.
pub(super) const CACHE_IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Returns a public JSON response that clients must revalidate.
pub(super) fn public_json<T: Serialize>(headers: &HeaderMap, body: &T) -> ApiResult<Tagged<T>> {
    cached_json(headers, body, "no-cache")
}

/// Returns a public JSON response with the cache policy `cache`.
pub(super) fn cached_json<T: Serialize>(
    headers: &HeaderMap,
    body: &T,
    cache: &'static str,
) -> ApiResult<Tagged<T>> {
    let text = serde_json::to_string(body).map_err(|error| Error::Bug(error.into()))?;
    let response = public_response(headers, text, "application/json", cache).into_response();
    Ok(Tagged { response, resource: PhantomData })
}

/// Returns a public response with its `ETag`, or 304 if the client has it.
pub(crate) fn public_response(
    headers: &HeaderMap,
    body: impl Into<Bytes>,
    content_type: &'static str,
    cache: &'static str,
) -> impl IntoResponse {
    let body = body.into();
    let digest = Digest::compute(&body).to_string();
    response_with_etag(headers, body, &digest, content_type, cache)
}

/// Returns the response of [`public_response`] for bytes with a known digest.
pub(super) fn response_with_etag(
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
