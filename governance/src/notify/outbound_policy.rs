//! Outbound policy: which addresses the service may call when a tenant supplies the URL. Calls into the
//! operator's own network are blocked. `docs/ADDRESSES.md` lists the rule and all spellings.

mod target;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::{
    fmt::Debug,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
    time::Duration,
};

use url::Url;

use self::target::ParsedUrl;

use crate::base::prelude::*;

/// The maximum number of characters of a URL (contract, section 6).
pub const URL_CHARS_MAX: usize = 2_048;

/// The timeout for resolving a host name when a URL is configured. Each call has its own timeout.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(5);

/// The addresses that may be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressPolicy {
    /// For URLs that the operator configures: public addresses and private networks. Link-local addresses,
    /// where clouds serve secrets, and reserved addresses are never allowed.
    Operator,
    /// For URLs that others supply: public addresses and those on the operator's allow list.
    Public {
        allow_list: AllowList,
        /// Whether addresses of the allow list may be called without TLS. All others require TLS.
        allows_http: bool,
    },
}

impl Default for AddressPolicy {
    fn default() -> Self {
        Self::Public { allow_list: AllowList::default(), allows_http: false }
    }
}

impl AddressPolicy {
    /// Returns whether `address` may be called, with or without TLS.
    pub fn permits(&self, address: IpAddr, is_plain: bool) -> bool {
        match self {
            Self::Operator => is_public(address) || is_private_network(address),
            Self::Public { allow_list, .. } if is_plain => {
                self.permits_http() && allow_list.contains(address)
            }
            Self::Public { allow_list, .. } => is_public(address) || allow_list.contains(address),
        }
    }

    /// Returns whether any address may be called without TLS.
    fn permits_http(&self) -> bool {
        match self {
            Self::Operator => true,
            Self::Public { allow_list, allows_http } => *allows_http && !allow_list.is_empty(),
        }
    }

    /// Parses a URL and checks its scheme and a literal IP address. A host name is not resolved.
    ///
    /// # Errors
    /// The reason the URL is refused.
    pub fn parse_url(&self, text: &str) -> Result<Url, AddressError> {
        self.target(text).map(|target| target.url)
    }

    fn target(&self, text: &str) -> Result<ParsedUrl, AddressError> {
        let target = ParsedUrl::parse(text)?;
        self.check_address(&target.url)?;
        Ok(target)
    }

    /// Checks the scheme and a literal IP address of a parsed URL. A host name is not resolved.
    ///
    /// # Errors
    /// [`AddressError::NotHttps`], [`AddressError::Blocked`].
    pub fn check_address(&self, url: &Url) -> Result<(), AddressError> {
        let is_plain = target::is_plain(url)?;
        if is_plain && !self.permits_http() {
            return Err(AddressError::NotHttps);
        }
        match target::address(url) {
            Some(address) if !self.permits(address, is_plain) => Err(AddressError::Blocked),
            _ => Ok(()),
        }
    }
}

/// The reason an address may not or cannot be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text is not a URL, or different programs interpret it differently.
    #[error("must be an address like `https://example.com/path`")]
    Malformed,
    #[error("must have at most {URL_CHARS_MAX} characters")]
    TooLong,
    /// The URL does not use TLS where it is required.
    #[error("must start with `https://`")]
    NotHttps,
    #[error("must not contain a user name or a password")]
    UserInfo,
    #[error("must not use port 0")]
    PortZero,
    #[error("must not have a fragment")]
    Fragment,
    /// The address is not in an allowed network.
    #[error("must resolve to a public address")]
    Blocked,
    #[error("has a host name without an address")]
    Unresolved,
    /// The host name cannot be resolved at present.
    #[error("has a host name that cannot be resolved now")]
    LookupFailed,
}

impl AddressError {
    /// Returns the error code in `details.errors`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLong => "length",
            Self::Blocked => "blocked_address",
            Self::Unresolved | Self::LookupFailed => "dns_error",
            _ => "format",
        }
    }

    /// Returns the refusal of a request whose value at `path` has this error.
    pub fn refusal(self, path: &str) -> Refusal {
        invalid_field(path, self.code(), &self.to_string())
    }
}

/// A resolver of host names.
#[async_trait::async_trait]
pub trait Resolver: Debug + Send + Sync {
    /// Returns the addresses of `host`, which is a name.
    ///
    /// # Errors
    /// [`AddressError::Unresolved`] if it has none, [`AddressError::LookupFailed`] if the look-up failed.
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, AddressError>;
}

/// The outbound policy with its resolver. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OutboundPolicy {
    policy: Arc<AddressPolicy>,
    resolver: Arc<dyn Resolver>,
}

impl Default for OutboundPolicy {
    /// Allows public addresses only, and resolves no names.
    fn default() -> Self {
        Self::new(AddressPolicy::default(), NoResolver)
    }
}

impl OutboundPolicy {
    /// Creates a policy that resolves names with `resolver`.
    pub fn new(policy: AddressPolicy, resolver: impl Resolver + 'static) -> Self {
        Self { policy: Arc::new(policy), resolver: Arc::new(resolver) }
    }

    pub fn address_policy(&self) -> &AddressPolicy {
        &self.policy
    }

    /// Checks a URL that is being configured, and its current addresses, which are checked again at each
    /// call. A name that cannot be resolved at present is accepted, unless its domain is never public.
    ///
    /// # Errors
    /// The reason the URL is refused.
    pub async fn check(&self, text: &str) -> Result<Url, AddressError> {
        let target = self.policy.target(text)?;
        let Some(host) = target.url.domain() else { return Ok(target.url) };
        let result =
            tokio::time::timeout(RESOLVE_TIMEOUT, self.addresses(host, target.is_plain)).await;
        match result.unwrap_or(Err(AddressError::LookupFailed)) {
            Err(AddressError::LookupFailed) if !is_never_public(host) => Ok(target.url),
            result => result.map(|_| target.url),
        }
    }

    /// Returns the addresses of a host. They are allowed only if all of them are, because a name with both
    /// public and other addresses may be an attack.
    ///
    /// # Errors
    /// [`AddressError::Blocked`], and the errors of [`Resolver::addresses`].
    pub async fn addresses(&self, host: &str, is_plain: bool) -> Result<Vec<IpAddr>, AddressError> {
        let permitted = |address: &IpAddr| self.policy.permits(*address, is_plain);
        if is_in_domain(host, "localhost") {
            // This machine (RFC 6761). No DNS server is queried, and one permitted address is enough.
            let loopback = [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()];
            let loopback: Vec<IpAddr> = loopback.into_iter().filter(permitted).collect();
            return if loopback.is_empty() { Err(AddressError::Blocked) } else { Ok(loopback) };
        }
        let addresses = self.resolver.addresses(host).await?;
        if addresses.is_empty() {
            return Err(AddressError::Unresolved);
        }
        if addresses.iter().all(permitted) { Ok(addresses) } else { Err(AddressError::Blocked) }
    }
}

/// A resolver whose look-ups all fail.
#[derive(Debug)]
struct NoResolver;

#[async_trait::async_trait]
impl Resolver for NoResolver {
    async fn addresses(&self, _: &str) -> Result<Vec<IpAddr>, AddressError> {
        Err(AddressError::LookupFailed)
    }
}

/// Returns whether a name is reserved and never has a public address (RFC 6761, 6762, 8375, 9476; `internal` is reserved for private
/// use).
fn is_never_public(host: &str) -> bool {
    let reserved = ["localhost", "invalid", "local", "internal", "home.arpa", "onion", "alt"];
    reserved.into_iter().any(|domain| is_in_domain(host, domain))
}

fn is_in_domain(host: &str, domain: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

const fn v4([a, b, c, d]: [u8; 4], bits: u8) -> IpNet {
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits))
}

/// Returns an IPv6 block from the first four groups of 16 bits.
const fn v6([a, b, c, d]: [u16; 4], bits: u8) -> IpNet {
    IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), bits))
}

/// Parses `10.1.0.0/16`, `fd00::/8`, or a single address.
fn parse_block(text: &str) -> Result<IpNet, String> {
    let (first, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
    let first: IpAddr = first.parse().map_err(|_| format!("`{text}` is not an address"))?;
    let bits_max = if first.is_ipv4() { 32 } else { 128 };
    let bits: Option<u8> = bits.map_or(Ok(bits_max), str::parse).ok();
    let block = bits.and_then(|bits| IpNet::new(first, bits).ok());
    let block = block.ok_or_else(|| format!("`{text}` must have 0 to {bits_max} bits"))?;
    if block == block.trunc() {
        Ok(block)
    } else {
        Err(format!("`{text}` has bits set beyond its prefix of {}", block.prefix_len()))
    }
}

/// The address blocks that an operator allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList(Vec<IpNet>);

impl AllowList {
    /// Returns whether a block contains `address`. A block of one IP version contains no address of the other, not even
    /// a mapped one.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|block| block.contains(&address))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for AllowList {
    type Err = String;

    /// Parses a comma-separated list, which may be empty.
    fn from_str(text: &str) -> Result<Self, String> {
        let blocks = text.split(',').map(str::trim).filter(|block| !block.is_empty());
        blocks.map(parse_block).collect::<Result<_, _>>().map(Self)
    }
}

/// The IPv4 blocks that are not public (IANA, "IPv4 Special-Purpose Address Registry", and multicast).
const NOT_PUBLIC_V4: [IpNet; 17] = [
    v4([0, 0, 0, 0], 8),
    v4([10, 0, 0, 0], 8),
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    v4([169, 254, 0, 0], 16),
    v4([172, 16, 0, 0], 12),
    v4([192, 0, 0, 0], 24),
    v4([192, 0, 2, 0], 24),
    v4([192, 52, 193, 0], 24),
    v4([192, 88, 99, 0], 24),
    v4([192, 168, 0, 0], 16),
    v4([198, 18, 0, 0], 15),
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    v4([224, 0, 0, 0], 4),
    v4([240, 0, 0, 0], 4),
    // A public address that Azure uses for the host of each virtual machine.
    v4([168, 63, 129, 16], 32),
];

/// The IPv6 block for global unicast. Mapped, translated, site-local, link-local and unassigned addresses
/// are outside of it.
const GLOBAL_UNICAST_V6: IpNet = v6([0x2000, 0, 0, 0], 3);

/// The blocks of global unicast that are not public (IANA, "IPv6 Special-Purpose Address Registry").
const NOT_PUBLIC_V6: [IpNet; 4] = [
    // Teredo, benchmarking, identifiers and other IETF protocol assignments.
    v6([0x2001, 0, 0, 0], 23),
    v6([0x2001, 0x0db8, 0, 0], 32),
    // 6to4 contains IPv4 addresses.
    v6([0x2002, 0, 0, 0], 16),
    v6([0x3fff, 0, 0, 0], 20),
];

/// Returns whether `address` is a public unicast address.
fn is_public(address: IpAddr) -> bool {
    let is_within = |blocks: &[IpNet]| blocks.iter().any(|block| block.contains(&address));
    match address {
        IpAddr::V4(_) => !is_within(&NOT_PUBLIC_V4),
        IpAddr::V6(_) => GLOBAL_UNICAST_V6.contains(&address) && !is_within(&NOT_PUBLIC_V6),
    }
}

/// The blocks of an operator's own network: loopback, private networks and shared provider addresses.
const PRIVATE_NETWORKS: [IpNet; 7] = [
    v4([10, 0, 0, 0], 8),
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    v4([172, 16, 0, 0], 12),
    v4([192, 168, 0, 0], 16),
    IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128)),
    v6([0xfc00, 0, 0, 0], 7),
];

/// Returns whether `address` is in the operator's own network, by its bits only.
fn is_private_network(address: IpAddr) -> bool {
    PRIVATE_NETWORKS.iter().any(|block| block.contains(&address))
}

#[cfg(test)]
mod tests;
