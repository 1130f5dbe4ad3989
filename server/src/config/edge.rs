//! Configuration of the HTTP edge: proxies in front of it, rate limits and endpoints.

use std::{
    num::{NonZeroU32, NonZeroUsize},
    time::Duration,
};

use clap::Args;

use super::redis::RedisAddress;

/// Settings of the HTTP edge.
#[derive(Clone, Debug, Args)]
pub struct EdgeConfig {
    /// The number of trusted proxies in front of the service. The client's address is that many entries from
    /// the right of `X-Forwarded-For`; with 0 the header is ignored.
    #[arg(long, env = "GOVERN_TRUSTED_PROXIES", default_value = "0")]
    pub trusted_proxies: u8,
    /// The number of open connections per client, which is an IPv4 address or an IPv6 block of /64. Beyond
    /// it, a new connection closes the client's longest idle one. The default is 1,024, and unlimited behind
    /// trusted proxies, because all connections come from the proxy.
    #[arg(long, env = "GOVERN_CONNECTIONS_PER_CLIENT")]
    pub connections_per_client: Option<NonZeroUsize>,
    #[command(flatten)]
    pub rates: Rates,
    /// The Redis instance in which processes share rate limits, as `redis://host:6379`. Without it, and while
    /// it is unavailable, each process counts for itself.
    #[arg(long = "redis-url", env = "GOVERN_REDIS_URL", hide_env_values = true)]
    pub redis: Option<RedisAddress>,
    /// The bearer token for `/metrics`. Required in production to read the metrics. Set it with the variable:
    /// other users of the machine can see options.
    #[arg(long, env = "GOVERN_METRICS_TOKEN", value_parser = token, hide_env_values = true)]
    pub metrics_token: Option<String>,
    /// Serve the documentation at `/docs/start`, the API reference at `/docs`, and `/openapi.json`.
    #[arg(long, env = "GOVERN_DOCS", value_parser = super::switch, default_value = "on")]
    pub docs: bool,
    /// The contact for vulnerabilities of this deployment: a `mailto:`, `https:` or `tel:` URI, which is
    /// published in `/.well-known/security.txt`. Without it, the file does not exist.
    #[arg(long, env = "GOVERN_SECURITY_CONTACT", value_parser = security_contact)]
    pub security_contact: Option<String>,
    /// The limits on time and concurrency.
    #[arg(skip)]
    pub limits: EdgeLimits,
}

impl Default for EdgeConfig {
    fn default() -> Self {
        Self {
            trusted_proxies: 0,
            connections_per_client: None,
            rates: Rates::default(),
            redis: None,
            metrics_token: None,
            docs: true,
            security_contact: None,
            limits: EdgeLimits::default(),
        }
    }
}

/// Parses a token of visible ASCII characters. A header cannot contain others.
fn token(text: &str) -> Result<String, String> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(text.to_owned())
    } else {
        Err("must be visible ASCII characters without spaces".to_owned())
    }
}

/// Accepts a `mailto:`, `https:` or `tel:` URI of printable ASCII.
fn security_contact(text: &str) -> Result<String, String> {
    let is_uri = ["mailto:", "https://", "tel:"]
        .iter()
        .any(|scheme| text.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()));
    if is_uri && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(text.to_owned())
    } else {
        Err("must be a URI that starts with mailto:, https:// or tel:".to_owned())
    }
}

/// Limits on time and concurrency of requests. They are not configurable; tests change them.
#[derive(Clone, Copy, Debug)]
pub struct EdgeLimits {
    /// The time limit of a whole request.
    pub request_timeout: Duration,
    /// The time limit until a body has arrived.
    pub body_timeout: Duration,
    /// The maximum number of requests that use the database at the same time.
    pub store_requests_max: usize,
    /// The interval in which event streams check the authorization of their reader. A connection that reads
    /// nothing for this long is aborted.
    pub heartbeat_interval: Duration,
    /// The time limit of one Redis command.
    pub redis_timeout: Duration,
}

impl Default for EdgeLimits {
    /// Returns the limits of the contract, section 1. The database connections serve many more requests in turn; further requests would wait so long that they are rejected instead.
    fn default() -> Self {
        Self {
            request_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            store_requests_max: 1_024,
            heartbeat_interval: Duration::from_secs(5),
            redis_timeout: Duration::from_millis(100),
        }
    }
}

/// Rate limits (specification, "Limits").
#[derive(Clone, Copy, Debug, Args)]
pub struct Rates {
    /// Requests per minute from one address, authenticated or not. An IPv6 address counts as its /64 block.
    #[arg(long, env = "GOVERN_RATE_LIMIT_IP_PER_MIN", default_value_t = Self::default().ip_per_min)]
    pub ip_per_min: NonZeroU32,
    /// Requests per minute of one API key, or of one signed-in user, in one tenant.
    #[arg(long, env = "GOVERN_RATE_LIMIT_KEY_PER_MIN", default_value_t = Self::default().key_per_min)]
    pub key_per_min: NonZeroU32,
    /// Submissions per minute to one public form from one address.
    #[arg(long, env = "GOVERN_RATE_LIMIT_FORM_PER_MIN", default_value_t = Self::default().form_per_min)]
    pub form_per_min: NonZeroU32,
}

impl Default for Rates {
    /// Returns the limits of the specification, and 10 per minute for forms (contract, section 6).
    fn default() -> Self {
        let [ip_per_min, key_per_min, form_per_min] =
            [10_000, 1_000, 10].map(|rate| NonZeroU32::MIN.saturating_add(rate - 1));
        Self { ip_per_min, key_per_min, form_per_min }
    }
}

impl Rates {
    /// Limits that are too high to be reached.
    pub const UNLIMITED: Self = Self {
        ip_per_min: NonZeroU32::MAX,
        key_per_min: NonZeroU32::MAX,
        form_per_min: NonZeroU32::MAX,
    };
}
