//! The configuration that an identity provider publishes (`OpenID` Connect Discovery 1.0).

use std::{sync::Arc, time::Duration};

use contract::json::Value;
use moka::future::Cache;
use url::Url;

use super::{
    client,
    keys::{self, SigningKeys},
};
use crate::Governance;

/// The configuration of an identity provider.
#[derive(Debug)]
pub(crate) struct Metadata {
    pub(super) authorization: Url,
    pub(super) token: Url,
    pub(super) keys: Url,
    pub(super) user_info: Option<Url>,
    pub(crate) end_session: Option<Url>,
    /// Whether authorization responses contain the issuer (RFC 9207).
    pub(super) sends_issuer: bool,
    /// Whether the client secret is sent in the body, because the provider does not accept it in a header.
    pub(super) takes_secret_in_body: bool,
    pub(crate) has_backchannel_logout: bool,
}

/// The time after which configurations and keys are read again.
const LIFETIME: Duration = Duration::from_hours(1);

/// The maximum number of providers whose configurations are cached.
const PROVIDERS_MAX: u64 = 1_000;

/// The minimum interval in milliseconds between two reads of the keys of a provider, when a token names an unknown key.
const KEYS_INTERVAL_MS: i64 = 60_000;

/// The cached configurations and keys of identity providers.
#[derive(Debug)]
pub(crate) struct ProviderCache {
    metadata: Cache<String, Arc<Metadata>>,
    keys: Cache<String, Arc<SigningKeys>>,
}

impl Default for ProviderCache {
    fn default() -> Self {
        let metadata = Cache::builder().max_capacity(PROVIDERS_MAX).time_to_live(LIFETIME).build();
        let keys = Cache::builder().max_capacity(PROVIDERS_MAX).time_to_live(LIFETIME).build();
        Self { metadata, keys }
    }
}

/// Returns the cached configuration of an issuer, or reads it.
///
/// # Errors
/// A sentence that contains no secret.
pub(crate) async fn cached(
    governance: &Governance,
    issuer: &str,
) -> Result<Arc<Metadata>, Arc<String>> {
    let read = async { read(governance, issuer).await.map(Arc::new) };
    governance.provider_cache().metadata.try_get_with(issuer.to_owned(), read).await
}

/// Reads the configuration of an issuer.
///
/// # Errors
/// A sentence that contains no secret.
pub(crate) async fn read(governance: &Governance, issuer: &str) -> Result<Metadata, String> {
    let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let document = client::get(governance, &parse_url(governance, &url)?).await?;
    if text(&document, "issuer") != Some(issuer) {
        let announced = text(&document, "issuer").unwrap_or_default();
        return Err(format!("the provider announces the issuer `{announced}`"));
    }
    let endpoint = |name: &str| {
        let url = text(&document, name).ok_or_else(|| format!("the provider has no `{name}`"))?;
        parse_url(governance, url).map_err(|error| format!("`{name}`: {error}"))
    };
    let optional = |name: &str| text(&document, name).map(|_| endpoint(name)).transpose();
    let is_set = |name: &str| document.get(name).and_then(Value::as_bool) == Some(true);
    Ok(Metadata {
        authorization: endpoint("authorization_endpoint")?,
        token: endpoint("token_endpoint")?,
        keys: endpoint("jwks_uri")?,
        user_info: optional("userinfo_endpoint")?,
        end_session: optional("end_session_endpoint")?,
        sends_issuer: is_set("authorization_response_iss_parameter_supported"),
        takes_secret_in_body: takes_secret_in_body(&document),
        has_backchannel_logout: is_set("backchannel_logout_supported"),
    })
}

/// Returns whether a provider accepts client secrets only in the body. Without a list, it accepts them in a header.
fn takes_secret_in_body(document: &Value) -> bool {
    let methods = document.get("token_endpoint_auth_methods_supported").and_then(Value::as_array);
    methods.is_some_and(|methods| {
        let has = |name: &str| methods.iter().any(|method| method.as_str() == Some(name));
        has("client_secret_post") && !has("client_secret_basic")
    })
}

fn text<'d>(document: &'d Value, name: &str) -> Option<&'d str> {
    document.get(name)?.as_str()
}

/// Parses an address of a provider that the outbound policy permits.
fn parse_url(governance: &Governance, url: &str) -> Result<Url, String> {
    let policy = governance.outbound_policy().address_policy();
    policy.parse_url(url).map_err(|error| format!("the address {error}"))
}

/// Reads the keys of a provider.
///
/// # Errors
/// A sentence that contains no secret.
pub(crate) async fn read_keys(
    governance: &Governance,
    metadata: &Metadata,
) -> Result<SigningKeys, String> {
    let document = client::get(governance, &metadata.keys).await?;
    Ok(keys::parse(&document, governance.clock().now()))
}

/// Returns the cached keys of a provider, or reads them. Keys without `key_id` are read again, at most once a minute,
/// because providers rotate keys.
///
/// # Errors
/// A sentence that contains no secret.
pub(super) async fn cached_keys(
    governance: &Governance,
    metadata: &Metadata,
    key_id: Option<&str>,
) -> Result<Arc<SigningKeys>, String> {
    let cache = &governance.provider_cache().keys;
    let now = governance.clock().now();
    if let Some(keys) = cache.get(metadata.keys.as_str()).await {
        let age_ms = now.millis().saturating_sub(keys.read_at.millis());
        if key_id.is_none_or(|id| keys.has(id)) || age_ms < KEYS_INTERVAL_MS {
            return Ok(keys);
        }
    }
    let keys = Arc::new(read_keys(governance, metadata).await?);
    cache.insert(metadata.keys.to_string(), Arc::clone(&keys)).await;
    Ok(keys)
}
