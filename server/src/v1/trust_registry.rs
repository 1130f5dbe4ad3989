//! Endpoints for the public keys of the service: the trust registry and the key set that it replaces.

use axum::response::{IntoResponse, Response};
use governance::proof::trust_registry;
use http::HeaderMap;

use super::conditional::{CACHE_IMMUTABLE, public_response};
use crate::{
    edge::{ApiResult, FromQuery, Public, Query, QueryReader, RequestContext},
    endpoint::Content,
};

/// The time at which the trust registry replaced the key set: 2026-06-01T00:00:00Z.
const DEPRECATED: &str = "@1780272000";

/// The path of the trust registry.
const SUCCESSOR: &str = "/v1/.well-known/trust-registry";

/// Read the public signing keys as a JSON Web Key Set.
///
/// Contains active and retired keys, but no revoked ones. Deprecated: the trust registry replaces it, and
/// also lists the purpose and the validity period of each key.
#[get(
    "/v1/.well-known/signing-keys", any_origin, tag = "verification",
    content = &[("application/jwk-set+json", Content::Any)],
    200 = "RFC 7517 key set",
)]
async fn signing_keys(context: RequestContext, headers: HeaderMap) -> ApiResult<Response> {
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
#[get(
    "/v1/.well-known/trust-registry", any_origin, tag = "verification",
    content = &[("application/json", Content::Object)],
    200 = "An envelope over `service-trust-registry/v1`",
    304,
    404 = "`NOT_FOUND`: the version does not exist, or no version was issued",
)]
async fn read(
    cx: Public,
    Query(RegistryVersion(version)): Query<RegistryVersion>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let published = trust_registry::version(&cx, version).await?;
    // The newest version is not cached, so that a revocation becomes visible immediately.
    let cache = if published.is_fixed { CACHE_IMMUTABLE } else { "no-cache" };
    Ok(public_response(&headers, published.envelope, "application/json", cache).into_response())
}

/// The number of a version of the trust registry; `None` for the newest version.
struct RegistryVersion(Option<u32>);

impl FromQuery for RegistryVersion {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self(query.get("version", "The number of the version (default: the newest)")))
    }
}
