//! The configuration that an identity provider publishes (`OpenID` Connect Discovery 1.0).

use serde_json::Value;
use url::Url;

use super::{
    client,
    document::Document,
    keys::{self, SigningKeys},
};
use crate::base::{cache::Cache, prelude::*};

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

/// The time in milliseconds after which configurations and keys are read again. A provider may ask for a shorter time for
/// its keys, but not for a longer one: keys that it removed are forgotten within this time.
const LIFETIME_MAX_MS: i64 = 60 * 60 * 1_000;

/// The minimum interval in milliseconds between two reads of the keys of a provider while they can be read.
const KEYS_INTERVAL_MS: i64 = 60 * 1_000;

/// The time in milliseconds for which a failure is cached. Each visit of the sign-in would otherwise call a provider that
/// fails.
const FAILURE_LIFETIME_MS: i64 = 10 * 1_000;

/// The maximum number of providers whose configurations are cached.
const PROVIDERS_MAX: u64 = 1_000;

/// The cached configurations and keys of identity providers, by their addresses.
#[derive(Debug)]
pub(crate) struct ProviderCache {
    metadata: ReadCache<Metadata>,
    keys: ReadCache<SigningKeys>,
}

/// Concurrent callers share one read.
type ReadCache<T> = Cache<String, Read<T>>;

/// The last read of a document, or the reason why it failed.
#[derive(Debug)]
struct Read<T> {
    result: Result<Arc<T>, Arc<str>>,
    fetched_at: Timestamp,
    /// The time from which the result is not used.
    expires_at: Timestamp,
}

impl<T> Read<T> {
    /// Returns a read at `now`, whose result is used for `lifetime_ms` if it is no failure.
    fn new(result: Result<T, String>, lifetime_ms: i64, now: Timestamp) -> Arc<Self> {
        let lifetime_ms = if result.is_ok() { lifetime_ms } else { FAILURE_LIFETIME_MS };
        let result = result.map(Arc::new).map_err(Arc::from);
        Arc::new(Self { result, fetched_at: now, expires_at: now.plus_millis(lifetime_ms) })
    }

    fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }
}

impl Default for ProviderCache {
    fn default() -> Self {
        Self { metadata: Cache::of_entries(PROVIDERS_MAX), keys: Cache::of_entries(PROVIDERS_MAX) }
    }
}

/// Returns the cached configuration of an issuer, or reads it.
///
/// # Errors
/// A sentence that contains no secret.
pub(crate) async fn cached(
    governance: &Governance,
    issuer: &str,
) -> Result<Arc<Metadata>, Arc<str>> {
    let now = || governance.clock().now();
    let read = async { Ok(Read::new(read(governance, issuer).await, LIFETIME_MAX_MS, now())) };
    let cached = &governance.access().providers.metadata;
    // A failed read is a value too, because it is cached.
    let read = cached.load(issuer.to_owned(), |read| !read.is_expired(now()), read).await;
    read.map_err(|error| error.to_string())?.result.clone()
}

/// Reads the configuration of an issuer.
///
/// # Errors
/// A sentence that contains no secret.
pub(crate) async fn read(governance: &Governance, issuer: &str) -> Result<Metadata, String> {
    let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let (document, _) = client::get(governance, &parse_url(governance, &url)?).await?;
    if document.text("issuer") != Some(issuer) {
        let announced = document.text("issuer").unwrap_or_default();
        return Err(format!("the provider announces the issuer `{announced}`"));
    }
    let endpoint = |name: &str| {
        let url = document.text(name).ok_or_else(|| format!("the provider has no `{name}`"))?;
        parse_url(governance, url).map_err(|error| format!("`{name}`: {error}"))
    };
    let is_set = |name: &str| document.value(name).and_then(Value::as_bool) == Some(true);
    Ok(Metadata {
        authorization: endpoint("authorization_endpoint")?,
        token: endpoint("token_endpoint")?,
        keys: endpoint("jwks_uri")?,
        user_info: endpoint("userinfo_endpoint").ok(),
        end_session: endpoint("end_session_endpoint").ok(),
        sends_issuer: is_set("authorization_response_iss_parameter_supported"),
        takes_secret_in_body: takes_secret_in_body(&document),
        has_backchannel_logout: is_set("backchannel_logout_supported"),
    })
}

/// Returns whether a provider accepts client secrets only in the body. Without a list, it accepts them in a header.
fn takes_secret_in_body(document: &Document) -> bool {
    let methods = document.value("token_endpoint_auth_methods_supported").and_then(Value::as_array);
    methods.is_some_and(|methods| {
        let has = |name: &str| methods.iter().any(|method| method.as_str() == Some(name));
        has("client_secret_post") && !has("client_secret_basic")
    })
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
    let (document, cache_control) = client::get(governance, &metadata.keys).await?;
    Ok(keys::parse(&document, lifetime_ms(cache_control.as_deref())))
}

/// Returns the time for which a response may be cached (RFC 9111, section 5.2.2), within the limits of the service.
fn lifetime_ms(cache_control: Option<&str>) -> i64 {
    let directives = cache_control.unwrap_or_default().split(',').map(str::trim);
    let lifetimes = directives.filter_map(|directive| {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        match &*name.to_ascii_lowercase() {
            "no-cache" | "no-store" => Some(0),
            "max-age" => value.trim_matches('"').parse::<u32>().ok().map(|s| i64::from(s) * 1_000),
            _ => None,
        }
    });
    lifetimes.min().unwrap_or(LIFETIME_MAX_MS).clamp(KEYS_INTERVAL_MS, LIFETIME_MAX_MS)
}

/// Returns the cached keys of a provider, or reads them. Keys of which none `verifies` a token are read again, at most
/// once a minute, because providers rotate keys. If this fails, the cached keys are used until they expire.
///
/// # Errors
/// A sentence that contains no secret.
pub(super) async fn cached_keys(
    governance: &Governance,
    metadata: &Metadata,
    verifies: impl Fn(&SigningKeys) -> bool + Send + Sync,
) -> Result<Arc<SigningKeys>, String> {
    let cache = &governance.access().providers.keys;
    let address = metadata.keys.as_str().to_owned();
    let now = || governance.clock().now();
    let is_current = |read: &Read<SigningKeys>| {
        let age_ms = now().millis().saturating_sub(read.fetched_at.millis());
        let is_usable = || read.result.as_ref().is_ok_and(|keys| verifies(keys));
        !read.is_expired(now()) && (age_ms < KEYS_INTERVAL_MS || is_usable())
    };
    let previous = cache.get(&address).filter(|read| !read.is_expired(now()));
    let read = async {
        let result = read_keys(governance, metadata).await;
        Ok(match (result, previous) {
            (Err(error), Some(previous)) => {
                tracing::warn!(error, "the keys of an identity provider could not be read again");
                let (result, expires_at) = (previous.result.clone(), previous.expires_at);
                Arc::new(Read { result, fetched_at: now(), expires_at })
            }
            (result, _) => {
                let lifetime_ms = result.as_ref().map_or(0, |keys| keys.lifetime_ms);
                Read::new(result, lifetime_ms, now())
            }
        })
    };
    let read = cache.load(address, is_current, read).await.map_err(|error| error.to_string())?;
    read.result.clone().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_cached_as_the_provider_says_within_limits() {
        for (header, seconds) in [
            (None, 3_600),
            (Some("public, max-age=600"), 600),
            (Some("Max-Age=\"600\", must-revalidate"), 600),
            (Some("max-age=1"), 60),
            (Some("max-age=86400"), 3_600),
            (Some("max-age=600, no-store"), 60),
            (Some("no-cache"), 60),
            (Some("max-age=soon"), 3_600),
            (Some(""), 3_600),
        ] {
            assert_eq!(lifetime_ms(header), seconds * 1_000, "{header:?}");
        }
    }
}
