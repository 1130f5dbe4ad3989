//! Outbound HTTP calls. They go directly to addresses that the outbound policy allows (`docs/ADDRESSES.md`),
//! without proxies and redirects, and have limits on time and response size.

mod names;

use std::{error::Error as StdError, future::Future, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use governance::notify::outbound_policy::{AddressError, AddressPolicy, OutboundPolicy};
use http::{HeaderMap, StatusCode};
use reqwest::{
    Client, RequestBuilder, Response, Url,
    dns::{Name, Resolve, Resolving},
    redirect::Policy,
    retry,
};

pub use self::names::SystemNames;

/// The time limit of a call to an address that a user chose, from the first byte sent to the last byte read
/// (specification, "Retry and time-out").
pub const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of response bytes that are read and discarded.
pub const DISCARDED_BODY_BYTES_MAX: usize = 65_536;

/// A client for outbound calls. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound {
    tls: Client,
    /// The client for calls without TLS, which the policy allows for fewer addresses.
    plain: Client,
    policy: OutboundPolicy,
    timeout: Duration,
}

/// A response of an outbound call.
#[derive(Debug)]
pub(crate) struct OutboundResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The reason an outbound call failed. Its message never contains the address or the response body.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CallError {
    /// The host name could not be resolved.
    #[error("has no address")]
    NoAddress,
    #[error("is at an address that the outbound policy blocks")]
    Blocked,
    /// The connection was refused.
    #[error("cannot be reached")]
    Unreachable,
    #[error("did not accept a connection in time")]
    NotConnected,
    /// The certificate is invalid, or the receiver does not speak TLS.
    #[error("failed the TLS handshake")]
    Tls,
    /// The connection ended before the response was complete.
    #[error("closed the connection early")]
    Interrupted,
    #[error("responded with more than {0} bytes")]
    TooLong(usize),
    #[error("took longer than {0} s")]
    TimedOut(f64),
}

impl CallError {
    /// Returns the name on the wire (contract, section 6, `failure_reason`).
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoAddress => "dns_error",
            Self::Blocked => "blocked_address",
            Self::NotConnected => "connect_timeout",
            Self::Tls => "tls_error",
            Self::Unreachable | Self::Interrupted => "connection_reset",
            Self::TooLong(_) => "body_too_large",
            Self::TimedOut(_) => "timeout",
        }
    }
}

impl Outbound {
    /// Creates a client that calls only addresses that `policy` allows, and takes at most `timeout` for a
    /// call, from the first byte sent to the last byte read.
    ///
    /// # Errors
    /// Returns an error if the certificates of the machine cannot be read.
    pub fn new(policy: OutboundPolicy, timeout: Duration) -> anyhow::Result<Self> {
        // A provider that is already installed is not replaced.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = |is_plain| {
            let resolver = PolicyResolver { policy: policy.clone(), is_plain };
            let client = Client::builder()
                .redirect(Policy::none())
                .no_proxy()
                .referer(false)
                .retry(retry::never())
                .user_agent("govern")
                .https_only(!is_plain)
                .dns_resolver(Arc::new(resolver))
                // A pooled connection would outlive the check of its address.
                .pool_max_idle_per_host(0)
                .connect_timeout(timeout / 2);
            client.build().context("the HTTP client cannot be created")
        };
        Ok(Self { tls: client(false)?, plain: client(true)?, policy, timeout })
    }

    /// Creates a client for addresses that the operator configures.
    ///
    /// # Errors
    /// Returns the errors of [`Self::new`].
    pub(crate) fn for_operator(timeout: Duration) -> anyhow::Result<Self> {
        Self::new(OutboundPolicy::new(AddressPolicy::Operator, SystemNames), timeout)
    }

    /// Posts `body` to `url` and returns status and headers of the response. The body of a success is
    /// read and discarded, and redirects are not followed.
    ///
    /// # Errors
    /// Returns the reason why there is no response.
    pub async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<(StatusCode, HeaderMap), CallError> {
        let call = async {
            let request = |client: &Client| client.post(url.clone()).headers(headers).body(body);
            let mut response = self.response_head(request).await?;
            let mut discarded_bytes = 0;
            let (status, headers) = (response.status(), response.headers().clone());
            // The body of a failure changes nothing, so its size does not either.
            while status.is_success()
                && let Some(chunk) = response.chunk().await.map_err(|error| call_error(&error))?
            {
                discarded_bytes += chunk.len();
                if discarded_bytes > DISCARDED_BODY_BYTES_MAX {
                    return Err(CallError::TooLong(DISCARDED_BODY_BYTES_MAX));
                }
            }
            Ok((status, headers))
        };
        self.within_timeout(call).await
    }

    /// Makes the call that `request` builds, and reads at most `bytes_max` bytes of the response body.
    pub(crate) async fn call(
        &self,
        bytes_max: usize,
        request: impl FnOnce(&Client) -> RequestBuilder,
    ) -> Result<OutboundResponse, CallError> {
        let call = async {
            let response = self.response_head(request).await?;
            let (status, headers) = (response.status(), response.headers().clone());
            Ok(OutboundResponse { status, headers, body: body(response, bytes_max).await? })
        };
        self.within_timeout(call).await
    }

    /// Makes the call and returns the head of the response. IP addresses in the URL are checked here, because
    /// they are not resolved. Names are checked by [`PolicyResolver`].
    async fn response_head(
        &self,
        request: impl FnOnce(&Client) -> RequestBuilder,
    ) -> Result<Response, CallError> {
        let request = request(&self.tls).build().map_err(|error| call_error(&error))?;
        self.policy
            .address_policy()
            .check_address(request.url())
            .map_err(|_| CallError::Blocked)?;
        let client = if request.url().scheme() == "http" { &self.plain } else { &self.tls };
        client.execute(request).await.map_err(|error| call_error(&error))
    }

    async fn within_timeout<T>(
        &self,
        call: impl Future<Output = Result<T, CallError>>,
    ) -> Result<T, CallError> {
        let result = tokio::time::timeout(self.timeout, call).await;
        result.unwrap_or_else(|_| Err(CallError::TimedOut(self.timeout.as_secs_f64())))
    }
}

/// Reads the response body, up to `bytes_max` bytes.
async fn body(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, CallError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| call_error(&error))? {
        if bytes.len() + chunk.len() > bytes_max {
            return Err(CallError::TooLong(bytes_max));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Resolver of the HTTP client, used once per connection. It returns only addresses that the policy allows,
/// and the client connects to these.
#[derive(Debug)]
struct PolicyResolver {
    policy: OutboundPolicy,
    is_plain: bool,
}

impl Resolve for PolicyResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (policy, is_plain) = (self.policy.clone(), self.is_plain);
        Box::pin(async move {
            let addresses = policy.addresses(name.as_str(), is_plain).await?;
            // With port 0 the client uses the port of the URL.
            let sockets = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(sockets) as reqwest::dns::Addrs)
        })
    }
}

/// Returns the reason of a failed call, from the chain of error causes.
fn call_error(error: &reqwest::Error) -> CallError {
    let address_error =
        causes(error).find_map(|cause| cause.downcast_ref::<AddressError>().copied());
    match address_error {
        Some(AddressError::Unresolved | AddressError::LookupFailed) => CallError::NoAddress,
        Some(_) => CallError::Blocked,
        None if causes(error).any(<dyn StdError>::is::<rustls::Error>) => CallError::Tls,
        None if error.is_connect() && error.is_timeout() => CallError::NotConnected,
        None if error.is_connect() => CallError::Unreachable,
        None => CallError::Interrupted,
    }
}

/// Iterates over an error and its causes. An I/O error has its cause as its inner error.
fn causes<'e>(
    error: &'e (dyn StdError + 'static),
) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    let next_cause = |error: &&'e (dyn StdError + 'static)| {
        let error: &'e (dyn StdError + 'static) = *error;
        match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            Some(inner) => Some(inner as &'e (dyn StdError + 'static)),
            None => error.source(),
        }
    };
    std::iter::successors(Some(error), next_cause)
}
