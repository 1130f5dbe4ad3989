//! Compression of pages and JSON with brotli or gzip.

use axum::{body::Body, extract::Request, middleware::Next, response::Response};
use http::{Extensions, HeaderMap, StatusCode, Version, header};
use tower::ServiceExt as _;
use tower_http::{
    CompressionLevel,
    compression::{
        Compression,
        predicate::{Predicate as _, SizeAbove},
    },
};

use super::origin;

/// The level of both encodings. Higher levels take several times as long for a few percent.
const LEVEL: CompressionLevel = CompressionLevel::Precise(4);

/// A smaller body fits into one packet without compression.
const BYTES_MIN: u64 = 1_024;

/// Compresses the response in an encoding that the client accepts.
///
/// The response to a request that another site caused stays uncompressed: an observer of the network who
/// controls that site could otherwise learn the text of a page from its compressed length (BREACH).
pub(crate) async fn compress(mut request: Request, next: Next) -> Response {
    let headers = request.headers_mut();
    if origin::is_from_other_site(headers) || refuses_identity(headers) {
        headers.remove(header::ACCEPT_ENCODING);
    }
    let predicate = SizeAbove::new(BYTES_MIN).and(is_compressible);
    let compression = Compression::new(next).quality(LEVEL).compress_when(predicate);
    let response = compression.oneshot(request).await.unwrap_or_else(|never| match never {});
    response.map(Body::new)
}

/// Returns whether the client refuses uncompressed responses. tower-http would change the status of responses
/// that it does not compress to 406, although the request was handled.
fn refuses_identity(headers: &HeaderMap) -> bool {
    let encodings = headers.get_all(header::ACCEPT_ENCODING).iter();
    encodings.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(',')).any(|item| {
        let item: String = item.chars().filter(|c| !c.is_whitespace()).collect();
        let parts = item.split_once(";q=");
        parts.is_some_and(|(coding, quality)| {
            matches!(coding, "identity" | "*") && quality.parse() == Ok(0.0)
        })
    })
}

/// Returns whether a response is a page, its style or script, or JSON. A strong `ETag` is the digest of the
/// uncompressed bytes, so responses with one are not compressed; files and event streams are not either.
fn is_compressible(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = content_type.and_then(|text| text.split(';').next());
    let is_text = matches!(
        media_type,
        Some("text/html" | "text/css" | "text/javascript" | "application/json")
    );
    let etag = headers.get(header::ETAG);
    is_text && etag.is_none_or(|etag| etag.as_bytes().starts_with(b"W/"))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_a_quality_of_zero_refuses_uncompressed_responses() {
        let refuses = |text: &'static str| {
            let header = (header::ACCEPT_ENCODING, HeaderValue::from_static(text));
            refuses_identity(&HeaderMap::from_iter([header]))
        };
        assert!(refuses("br, identity;q=0") && refuses("gzip, * ; q=0.000"));
        for accepted in ["", "gzip, br", "*", "gzip;q=1.0, identity;q=0.3, *;q=0.1", "br;q=0"] {
            assert!(!refuses(accepted), "{accepted}");
        }
    }
}
