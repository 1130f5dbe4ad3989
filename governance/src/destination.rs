//! Where the service may call, when somebody else names the address: never into the operator's own
//! network. `docs/ADDRESSES.md` has the rule with all of its spellings.

mod block;
mod target;

use std::{
    fmt::Debug,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
    time::Duration,
};

use url::Url;

pub use self::block::{AllowList, Block};
use self::{
    block::{is_own_network, is_public},
    target::Target,
};
use crate::error::{Refusal, invalid_field};

/// The most characters of an address (contract, section 6).
pub const URL_CHARS_MAX: usize = 2_048;

/// How long the addresses of a name are waited for when a destination is named. A call has its own bound.
const PATIENCE: Duration = Duration::from_secs(5);

/// Which addresses may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The operator named the destination: public addresses, and those of the operator's own network. Never
    /// those of a link, which is where clouds keep their secrets, nor reserved ones.
    Operator,
    /// Somebody else did: public addresses, and those that the operator lists.
    Public {
        /// What the operator lists.
        listed: AllowList,
        /// Whether listed addresses may be called without TLS. All others never are.
        has_http: bool,
    },
}

impl Default for Rule {
    fn default() -> Self {
        Self::Public { listed: AllowList::default(), has_http: false }
    }
}

impl Rule {
    /// Whether `address` may be called, over TLS or without it.
    pub fn permits(&self, address: IpAddr, is_plain: bool) -> bool {
        match self {
            Self::Operator => is_public(address) || is_own_network(address),
            Self::Public { listed, .. } if is_plain => self.has_plain() && listed.holds(address),
            Self::Public { listed, .. } => is_public(address) || listed.holds(address),
        }
    }

    /// Whether anything may be called without TLS.
    fn has_plain(&self) -> bool {
        match self {
            Self::Operator => true,
            Self::Public { listed, has_http } => *has_http && !listed.is_empty(),
        }
    }

    /// The destination that `text` names, as far as its spelling tells: an address in figures is judged here,
    /// a name is not.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&self, text: &str) -> Result<Url, Fault> {
        self.target(text).map(|target| target.url)
    }

    fn target(&self, text: &str) -> Result<Target, Fault> {
        let target = Target::read(text)?;
        self.judge(&target.url)?;
        Ok(target)
    }

    /// Judges an address that was read before, as far as its figures tell.
    ///
    /// # Errors
    /// [`Fault::NotHttps`], [`Fault::Blocked`].
    pub fn judge(&self, url: &Url) -> Result<(), Fault> {
        let is_plain = target::is_plain(url)?;
        if is_plain && !self.has_plain() {
            return Err(Fault::NotHttps);
        }
        match target::address(url) {
            Some(address) if !self.permits(address, is_plain) => Err(Fault::Blocked),
            _ => Ok(()),
        }
    }
}

/// Why something may not be called, or cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is no address, or one that programs read differently.
    #[error("must be an address like `https://example.com/path`")]
    Malformed,
    /// It has too many characters.
    #[error("must have at most {URL_CHARS_MAX} characters")]
    TooLong,
    /// It goes without TLS where it must not.
    #[error("must begin with `https://`")]
    NotHttps,
    /// It holds a user or a password.
    #[error("must not hold a user or a password")]
    UserInfo,
    /// It names port 0.
    #[error("must not name port 0")]
    PortZero,
    /// It has a fragment.
    #[error("must not have a fragment")]
    Fragment,
    /// It leads into a network that is not public.
    #[error("must lead to a public address")]
    Blocked,
    /// There is no address behind its name.
    #[error("names a host that has no address")]
    Unresolved,
    /// Nobody can say now which addresses are behind its name.
    #[error("names a host whose address cannot be looked up now")]
    Unanswered,
}

impl Fault {
    /// The code of the fault in `details.errors`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLong => "length",
            Self::Blocked => "blocked_address",
            Self::Unresolved | Self::Unanswered => "dns_error",
            _ => "format",
        }
    }

    /// The refusal of a request whose value at `path` has this fault.
    pub fn refusal(self, path: &str) -> Refusal {
        invalid_field(path, self.code(), &self.to_string())
    }
}

/// Tells the addresses of names. How is the edge's affair.
#[async_trait::async_trait]
pub trait Names: Debug + Send + Sync {
    /// The addresses behind `host`, which is no address itself.
    ///
    /// # Errors
    /// [`Fault::Unresolved`] when there are none, [`Fault::Unanswered`] when nobody can say.
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, Fault>;
}

/// What may be called, and who tells the addresses of names. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Destinations {
    rule: Arc<Rule>,
    names: Arc<dyn Names>,
}

impl Default for Destinations {
    /// Public addresses only, and nobody who knows any name.
    fn default() -> Self {
        Self::new(Rule::default(), Unknown)
    }
}

impl Destinations {
    /// What `rule` permits, as `names` tells it.
    pub fn new(rule: Rule, names: impl Names + 'static) -> Self {
        Self { rule: Arc::new(rule), names: Arc::new(names) }
    }

    /// The rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Judges a destination that somebody names, and its addresses as they are now; they are judged again
    /// with each call. So a name that cannot be looked up now is let pass, unless it never will be public.
    ///
    /// # Errors
    /// What is wrong with it.
    pub async fn check(&self, text: &str) -> Result<Url, Fault> {
        let target = self.rule.target(text)?;
        let Some(host) = target.name() else { return Ok(target.url) };
        let looked_up = tokio::time::timeout(PATIENCE, self.addresses(host, target.is_plain)).await;
        match looked_up.unwrap_or(Err(Fault::Unanswered)) {
            Err(Fault::Unanswered) if !is_never_public(host) => Ok(target.url),
            looked_up => looked_up.map(|_| target.url),
        }
    }

    /// The addresses behind a name that may be called: all that it has, or none. A name that leads to a
    /// public address and to another one is a trap.
    ///
    /// # Errors
    /// [`Fault::Blocked`]; those of [`Names::addresses`].
    pub async fn addresses(&self, host: &str, is_plain: bool) -> Result<Vec<IpAddr>, Fault> {
        let permitted = |address: &IpAddr| self.rule.permits(*address, is_plain);
        if is_localhost(host) {
            // This machine, and no server is asked (RFC 6761); one of its addresses is enough.
            let own = [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()];
            let own: Vec<IpAddr> = own.into_iter().filter(permitted).collect();
            return if own.is_empty() { Err(Fault::Blocked) } else { Ok(own) };
        }
        let addresses = self.names.addresses(host).await?;
        if addresses.is_empty() {
            return Err(Fault::Unresolved);
        }
        if addresses.iter().all(permitted) { Ok(addresses) } else { Err(Fault::Blocked) }
    }
}

/// Knows no name.
#[derive(Debug)]
struct Unknown;

#[async_trait::async_trait]
impl Names for Unknown {
    async fn addresses(&self, _: &str) -> Result<Vec<IpAddr>, Fault> {
        Err(Fault::Unanswered)
    }
}

fn is_localhost(host: &str) -> bool {
    is_below(host, "localhost")
}

/// Names that no public server knows (RFC 6761, 6762, 8375, 9476; `internal` is kept for private use).
fn is_never_public(host: &str) -> bool {
    let reserved = ["localhost", "invalid", "local", "internal", "home.arpa", "onion", "alt"];
    reserved.into_iter().any(|domain| is_below(host, domain))
}

/// Whether `host` is `domain`, or below it.
fn is_below(host: &str, domain: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests;
