//! Calls to others, made in one way: directly, with no proxy between; to an address that was judged
//! (`docs/ADDRESSES.md`) and no other, wherever an answer may point; with one bound for the whole call,
//! and one for what is read of the answer.

mod names;

use std::{error::Error as StdError, future::Future, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use governance::destination::{Destinations, Fault, Rule};
use http::{HeaderMap, StatusCode};
use reqwest::{
    Client, RequestBuilder, Response, Url,
    dns::{Name, Resolve, Resolving},
    redirect::Policy,
    retry,
};

pub use self::names::SystemNames;

/// How long a call on behalf of somebody else may take, from the first byte sent to the last one read
/// (specification, "Retry and time-out").
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How many bytes of an answer that nobody keeps are read.
pub const UNREAD_BYTES_MAX: usize = 65_536;

/// A client that calls others. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Outbound {
    /// For calls over TLS.
    sealed: Client,
    /// For calls without it, which fewer addresses may get.
    plain: Client,
    destinations: Destinations,
    patience: Duration,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Why there is no answer. Its words hold neither the address nor what was said.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Silence {
    /// Its name has no address, or none that can be found out.
    #[error("has no address")]
    NoAddress,
    /// It may not be called.
    #[error("is at an address that is not called")]
    Blocked,
    /// Nobody accepts connections there.
    #[error("cannot be reached")]
    Unreachable,
    /// There was no connection in time.
    #[error("did not accept a connection in time")]
    NotConnected,
    /// It cannot prove who it is, or does not speak TLS.
    #[error("does not speak TLS as it must")]
    Tls,
    /// The connection ended before the answer did.
    #[error("broke off")]
    BrokenOff,
    /// The answer is longer than is read: this many bytes.
    #[error("answered with more than {0} bytes")]
    TooLong(usize),
    /// The whole call took longer than it may: this many seconds.
    #[error("took longer than {0} s")]
    TooLate(f64),
}

impl Silence {
    /// The word of the wire (contract, section 6, `failure_reason`).
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoAddress => "dns_error",
            Self::Blocked => "blocked_address",
            Self::NotConnected => "connect_timeout",
            Self::Tls => "tls_error",
            Self::Unreachable | Self::BrokenOff => "connection_reset",
            Self::TooLong(_) => "body_too_large",
            Self::TooLate(_) => "timeout",
        }
    }
}

impl Outbound {
    /// A client that calls only where `destinations` says, and gives a call up after `patience`, from the
    /// first byte sent to the last one read.
    ///
    /// # Errors
    /// When the machine's certificates cannot be read.
    pub fn new(destinations: Destinations, patience: Duration) -> anyhow::Result<Self> {
        // Whoever chose a provider before has chosen for us too.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = |is_plain| {
            let judged = Judged { destinations: destinations.clone(), is_plain };
            let client = Client::builder()
                .redirect(Policy::none())
                .no_proxy()
                .referer(false)
                .retry(retry::never())
                .user_agent("govern")
                .https_only(!is_plain)
                .dns_resolver(Arc::new(judged))
                // A connection that is kept would outlive the judgement of its address.
                .pool_max_idle_per_host(0)
                .connect_timeout(patience / 2);
            client.build().context("cannot prepare calls")
        };
        Ok(Self { sealed: client(false)?, plain: client(true)?, destinations, patience })
    }

    /// A client for destinations that the operator names.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub(crate) fn to_operators(patience: Duration) -> anyhow::Result<Self> {
        Self::new(Destinations::new(Rule::Operator, SystemNames), patience)
    }

    /// Posts `body` to `url`, and tells the status of the answer, of which nothing else is kept. An answer
    /// that sends elsewhere is an answer.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<StatusCode, Silence> {
        let call = async {
            let request = |client: &Client| client.post(url.clone()).headers(headers).body(body);
            let mut response = self.answer(request).await?;
            let mut unread = 0;
            while let Some(chunk) = response.chunk().await.map_err(|error| of(&error))? {
                unread += chunk.len();
                if unread > UNREAD_BYTES_MAX {
                    return Err(Silence::TooLong(UNREAD_BYTES_MAX));
                }
            }
            Ok(response.status())
        };
        self.in_time(call).await
    }

    /// Makes the call that `request` makes of the client, and reads at most `bytes_max` of the answer.
    pub(crate) async fn call(
        &self,
        bytes_max: usize,
        request: impl FnOnce(&Client) -> RequestBuilder,
    ) -> Result<Reply, Silence> {
        let call = async {
            let response = self.answer(request).await?;
            let (status, headers) = (response.status(), response.headers().clone());
            Ok(Reply { status, headers, body: body(response, bytes_max).await? })
        };
        self.in_time(call).await
    }

    /// The head of the answer. A name is judged where it is looked up; figures are judged here, because they
    /// are looked up nowhere.
    async fn answer(
        &self,
        request: impl FnOnce(&Client) -> RequestBuilder,
    ) -> Result<Response, Silence> {
        let request = request(&self.sealed).build().map_err(|error| of(&error))?;
        self.destinations.rule().judge(request.url()).map_err(|_| Silence::Blocked)?;
        let client = if request.url().scheme() == "http" { &self.plain } else { &self.sealed };
        client.execute(request).await.map_err(|error| of(&error))
    }

    async fn in_time<T>(
        &self,
        call: impl Future<Output = Result<T, Silence>>,
    ) -> Result<T, Silence> {
        let answered = tokio::time::timeout(self.patience, call).await;
        answered.unwrap_or_else(|_| Err(Silence::TooLate(self.patience.as_secs_f64())))
    }
}

/// The body, read no further than it may be long.
async fn body(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, Silence> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| of(&error))? {
        if bytes.len() + chunk.len() > bytes_max {
            return Err(Silence::TooLong(bytes_max));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Names as the client looks them up, once for each connection: what comes back was judged, and is what is
/// connected to.
#[derive(Debug)]
struct Judged {
    destinations: Destinations,
    is_plain: bool,
}

impl Resolve for Judged {
    fn resolve(&self, name: Name) -> Resolving {
        let (destinations, is_plain) = (self.destinations.clone(), self.is_plain);
        Box::pin(async move {
            let addresses = destinations.addresses(name.as_str(), is_plain).await?;
            // Port 0 stands for the one that the address names.
            let sockets = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(sockets) as reqwest::dns::Addrs)
        })
    }
}

/// Why a call failed, from the errors that lie behind one another.
fn of(error: &reqwest::Error) -> Silence {
    let fault = causes(error).find_map(|cause| cause.downcast_ref::<Fault>().copied());
    match fault {
        Some(Fault::Unresolved | Fault::Unanswered) => Silence::NoAddress,
        Some(_) => Silence::Blocked,
        None if causes(error).any(<dyn StdError>::is::<rustls::Error>) => Silence::Tls,
        None if error.is_connect() && error.is_timeout() => Silence::NotConnected,
        None if error.is_connect() => Silence::Unreachable,
        None => Silence::BrokenOff,
    }
}

/// An error and what lies behind it. An error of input and output hides what it was made of.
fn causes<'e>(
    error: &'e (dyn StdError + 'static),
) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    let behind = |error: &&'e (dyn StdError + 'static)| {
        let error: &'e (dyn StdError + 'static) = *error;
        match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            Some(within) => Some(within as &'e (dyn StdError + 'static)),
            None => error.source(),
        }
    };
    std::iter::successors(Some(error), behind)
}
