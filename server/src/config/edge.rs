//! What the HTTP edge is told: who stands before it, and how much it lets through.

use std::{
    num::{NonZeroU32, NonZeroUsize},
    time::Duration,
};

use clap::Args;

use crate::edge::{listen::ConnectionLimits, rate_limit::RedisAddress};

/// Settings of the HTTP edge.
#[derive(Clone, Debug, Args)]
pub struct EdgeConfig {
    /// How many proxies of yours stand before the service. The caller's address is then that many
    /// entries from the right of `X-Forwarded-For`; with 0 the header is ignored.
    #[arg(long, env = "GOVERN_TRUSTED_PROXIES", default_value = "0")]
    pub trusted_proxies: u8,
    /// How many connections one client may have open: an IPv4 address or an IPv6 block of /64. When a further one
    /// comes, its connection that has been idle longest is closed. 1,024 by default; behind trusted proxies no
    /// limit, as all connections come from the proxy.
    #[arg(long, env = "GOVERN_CONNECTIONS_PER_CLIENT")]
    pub connections_per_client: Option<NonZeroUsize>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it; the type says it")]
    pub rates: Rates,
    /// Where processes share these limits: Redis, as `redis://host:6379`. Without it, and while it is away,
    /// each process counts for itself.
    #[arg(long = "redis-url", env = "GOVERN_REDIS_URL", hide_env_values = true)]
    pub redis: Option<RedisAddress>,
    /// The bearer token that reads `/metrics`. In production nobody reads it without one. Set it by the
    /// variable: other users of the machine can see options.
    #[arg(long, env = "GOVERN_METRICS_TOKEN", value_parser = token, hide_env_values = true)]
    pub metrics_token: Option<String>,
    /// Whether `/docs` and `/openapi.json` are served.
    #[arg(long, env = "GOVERN_DOCS", value_parser = super::switch, default_value = "on")]
    pub docs: bool,
    /// Where vulnerabilities of this deployment are reported: a `mailto:`, `https:` or `tel:` URI, which
    /// `/.well-known/security.txt` names. Without it there is no such file.
    #[arg(long, env = "GOVERN_SECURITY_CONTACT", value_parser = crate::security_txt::contact)]
    pub security_contact: Option<String>,
    /// What the process bears.
    #[arg(skip)]
    pub bounds: Bounds,
}

impl Default for EdgeConfig {
    fn default() -> Self {
        let (rates, bounds) = (Rates::default(), Bounds::default());
        Self {
            trusted_proxies: 0,
            connections_per_client: None,
            rates,
            redis: None,
            metrics_token: None,
            docs: true,
            security_contact: None,
            bounds,
        }
    }
}

impl EdgeConfig {
    /// How many connections the listener serves.
    pub fn connections(&self) -> ConnectionLimits {
        ConnectionLimits::behind(self.trusted_proxies, self.connections_per_client)
    }
}

/// A token of visible ASCII characters: others cannot be sent in a header.
fn token(text: &str) -> Result<String, String> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(text.to_owned())
    } else {
        Err("must be visible ASCII characters without spaces".to_owned())
    }
}

/// How long a request may take, and how many may be at work. No settings, but for tests.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The whole work of a request.
    pub request: Duration,
    /// Until a body has arrived.
    pub body: Duration,
    /// How many requests use the store at once.
    pub requests_at_store: usize,
    /// Between two looks whether a listener may still listen, and until one who reads nothing is cut off.
    pub beat: Duration,
    /// One count of a request at Redis.
    pub shared_count: Duration,
}

impl Default for Bounds {
    /// The contract's, section 1. Sixteen connections serve many times as many requests in turn; those
    /// beyond would wait so long that it is better to say so.
    fn default() -> Self {
        let half_a_minute = Duration::from_secs(30);
        Self {
            request: half_a_minute,
            body: half_a_minute,
            requests_at_store: 1_024,
            beat: Duration::from_secs(5),
            shared_count: Duration::from_millis(100),
        }
    }
}

/// How many requests a minute are let through (specification, "Limits").
#[derive(Clone, Copy, Debug, Args)]
pub struct Rates {
    /// Requests a minute from one address, whoever asks. IPv6 counts by /64.
    #[arg(long, env = "GOVERN_RATE_LIMIT_IP_PER_MIN", default_value_t = Self::default().ip_per_min)]
    pub ip_per_min: NonZeroU32,
    /// Requests a minute of one API key, or of one signed-in person, in one tenant.
    #[arg(long, env = "GOVERN_RATE_LIMIT_KEY_PER_MIN", default_value_t = Self::default().key_per_min)]
    pub key_per_min: NonZeroU32,
    /// Submissions a minute to one public form from one address.
    #[arg(long, env = "GOVERN_RATE_LIMIT_FORM_PER_MIN", default_value_t = Self::default().form_per_min)]
    pub form_per_min: NonZeroU32,
}

impl Default for Rates {
    /// The specification's, and 10 a minute for forms (contract, section 6).
    fn default() -> Self {
        let [ip_per_min, key_per_min, form_per_min] =
            [10_000, 1_000, 10].map(|rate| NonZeroU32::MIN.saturating_add(rate - 1));
        Self { ip_per_min, key_per_min, form_per_min }
    }
}

impl Rates {
    /// So many that nobody meets a limit.
    pub const UNLIMITED: Self = Self {
        ip_per_min: NonZeroU32::MAX,
        key_per_min: NonZeroU32::MAX,
        form_per_min: NonZeroU32::MAX,
    };
}
