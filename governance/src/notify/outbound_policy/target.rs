//! Strict URL parsing: refuses URLs that other programs may interpret differently.

use std::net::IpAddr;

use url::{Host, Url};

use super::{AddressError, URL_CHARS_MAX};

#[derive(Clone, Debug)]
pub(super) struct ParsedUrl {
    pub(super) url: Url,
    /// Whether it is called without TLS.
    pub(super) is_plain: bool,
}

impl ParsedUrl {
    pub(super) fn parse(text: &str) -> Result<Self, AddressError> {
        if text.chars().count() > URL_CHARS_MAX {
            return Err(AddressError::TooLong);
        }
        // Programs differ on white space and backslashes, so the host could be interpreted differently.
        let is_ambiguous = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
        if text.chars().any(is_ambiguous) {
            return Err(AddressError::Malformed);
        }
        let authority = authority(text)?;
        let url = Url::parse(text).map_err(|_| AddressError::Malformed)?;
        let is_plain = is_plain(&url)?;
        if authority.contains('@') || !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::UserInfo);
        }
        if url.port() == Some(0) {
            return Err(AddressError::PortZero);
        }
        if url.fragment().is_some() {
            return Err(AddressError::Fragment);
        }
        if url.domain().is_some_and(|name| !is_name(name)) {
            return Err(AddressError::Malformed);
        }
        Ok(Self { url, is_plain })
    }
}

/// Returns whether a URL is called without TLS.
pub(super) fn is_plain(url: &Url) -> Result<bool, AddressError> {
    match url.scheme() {
        "https" => Ok(false),
        "http" => Ok(true),
        _ => Err(AddressError::NotHttps),
    }
}

/// Returns the host if it is an IP address. Decimal, octal, hexadecimal, short and full-width forms are
/// normalized to the address they represent.
pub(super) fn address(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

/// Returns the text between `://` and the path. Programs complete a URL without it in different ways.
fn authority(text: &str) -> Result<&str, AddressError> {
    let (_, rest) = text.split_once(':').ok_or(AddressError::Malformed)?;
    let rest = rest.strip_prefix("//").ok_or(AddressError::Malformed)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() { Err(AddressError::Malformed) } else { Ok(authority) }
}

/// Returns whether a host name can be resolved: labels separated by dots, with an optional trailing dot.
fn is_name(host: &str) -> bool {
    let labels = host.strip_suffix('.').unwrap_or(host);
    labels.len() <= 253 && labels.split('.').all(|label| (1..=63).contains(&label.len()))
}
