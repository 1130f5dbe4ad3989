//! What an address says, read once; what other programs may read otherwise is refused.

use std::net::IpAddr;

use url::{Host, Url};

use super::{Fault, URL_CHARS_MAX};

/// A destination as it was written.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) url: Url,
    /// Whether it goes without TLS.
    pub(super) is_plain: bool,
}

impl Target {
    pub(super) fn read(text: &str) -> Result<Self, Fault> {
        if text.chars().count() > URL_CHARS_MAX {
            return Err(Fault::TooLong);
        }
        // Programs differ over blanks and backslashes: what one takes for a path is another's host.
        let is_odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
        if text.chars().any(is_odd) {
            return Err(Fault::Malformed);
        }
        let authority = authority(text)?;
        let url = Url::parse(text).map_err(|_| Fault::Malformed)?;
        let is_plain = is_plain(&url)?;
        if authority.contains('@') || !url.username().is_empty() || url.password().is_some() {
            return Err(Fault::UserInfo);
        }
        if url.port() == Some(0) {
            return Err(Fault::PortZero);
        }
        if url.fragment().is_some() {
            return Err(Fault::Fragment);
        }
        if url.domain().is_some_and(|name| !is_name(name)) {
            return Err(Fault::Malformed);
        }
        Ok(Self { url, is_plain })
    }

    /// The host, when it is a name.
    pub(super) fn name(&self) -> Option<&str> {
        self.url.domain()
    }
}

/// Whether an address goes without TLS.
pub(super) fn is_plain(url: &Url) -> Result<bool, Fault> {
    match url.scheme() {
        "https" => Ok(false),
        "http" => Ok(true),
        _ => Err(Fault::NotHttps),
    }
}

/// The host, when it is an address. Decimal, octal, hexadecimal, short and wide figures are the one that
/// they stand for.
pub(super) fn address(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

/// What stands between `://` and the path. An address without either is completed differently by programs.
fn authority(text: &str) -> Result<&str, Fault> {
    let (_, rest) = text.split_once(':').ok_or(Fault::Malformed)?;
    let rest = rest.strip_prefix("//").ok_or(Fault::Malformed)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() { Err(Fault::Malformed) } else { Ok(authority) }
}

/// Whether a host can be looked up: labels with dots between them, and perhaps one behind.
fn is_name(host: &str) -> bool {
    let labels = host.strip_suffix('.').unwrap_or(host);
    labels.len() <= 253 && labels.split('.').all(|label| (1..=63).contains(&label.len()))
}
