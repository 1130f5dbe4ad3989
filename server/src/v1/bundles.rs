//! Verification bundle endpoints. They are public.

use std::sync::Arc;

use axum::{
    body::Bytes,
    response::{IntoResponse, Response},
};
use contract::id::{ChainId, DecisionId};
use governance::bundle::{self, BundleSource, Export, Format};
use http::{HeaderMap, header};

use super::conditional::response_with_etag;
use crate::{
    edge::{ApiResult, FromQuery, Id, Public, Query, QueryReader},
    endpoint::Content,
};

/// The media types of a bundle.
const BUNDLE: &[(&str, Content)] = &[
    ("application/x-tar", Content::Bytes),
    ("application/vnd.service.bundle.v1+json", Content::Object),
];

impl FromQuery for Format {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let format = query.get("format", "The format of the bundle (default: `tar`)");
        Some(format.unwrap_or_default())
    }
}

/// Export the verification bundle of a decision, with everything to verify it offline.
///
/// Returns an archive, or with `format=json` the same files as one JSON object. `govern-verify` verifies
/// both; get the trusted keys from another source. The same decision returns the same bytes while its chain
/// and the trust registry do not change.
#[get(
    "/v1/receipts/{decision_id}/bundle", any_origin, tag = "verification",
    content = BUNDLE,
    200 = "The bundle",
    304,
    422 = "`BUNDLE_TOO_LARGE`, `VALIDATION_ERROR`",
    503 = "`SERVICE_UNAVAILABLE`: too many bundles are being exported; retry after `retry_after` seconds",
)]
async fn decision(
    cx: Public,
    Id(id): Id<DecisionId>,
    Query(format): Query<Format>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let export = bundle::export(&cx, BundleSource::Decision(id), format).await?;
    Ok(bundle_response(&headers, &export, format, &format!("decision-{id}")))
}

/// Export the verification bundle of a chain.
///
/// Contains all links and receipts, and the seal if there is one. Returns an archive, or with `format=json`
/// the same files as one JSON object.
#[get(
    "/v1/chains/{chain_id}/bundle", any_origin, tag = "verification",
    content = BUNDLE,
    200 = "The bundle",
    304,
    422 = "`BUNDLE_TOO_LARGE`, `VALIDATION_ERROR`",
    503 = "`SERVICE_UNAVAILABLE`: too many bundles are being exported; retry after `retry_after` seconds",
)]
async fn chain(
    cx: Public,
    Id(id): Id<ChainId>,
    Query(format): Query<Format>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let export = bundle::export(&cx, BundleSource::Chain(id), format).await?;
    Ok(bundle_response(&headers, &export, format, &format!("chain-{id}")))
}

/// Returns the response for a bundle, with a file name for downloads.
fn bundle_response(
    headers: &HeaderMap,
    export: &Arc<Export>,
    format: Format,
    name: &str,
) -> Response {
    let (content_type, ending) = match format {
        Format::Archive => ("application/x-tar", "tar"),
        Format::Json => ("application/vnd.service.bundle.v1+json", "json"),
    };
    let name = format!("attachment; filename=\"{name}.{ending}\"");
    let bytes = Bytes::from_owner(SharedExport(Arc::clone(export)));
    let response = response_with_etag(headers, bytes, &export.digest, content_type, "no-cache");
    ([(header::CONTENT_DISPOSITION, name)], response).into_response()
}

/// The owner of the bytes of a response. A large export occupies its share of the memory until it is dropped.
struct SharedExport(Arc<Export>);

impl AsRef<[u8]> for SharedExport {
    fn as_ref(&self) -> &[u8] {
        &self.0.bytes
    }
}
