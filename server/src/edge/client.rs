//! The client address of a request: the peer of the connection, or the address that trusted proxies report.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap, HeaderName};

/// The header to which each proxy appends the address of its caller.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns the peer address of the connection.
pub(crate) fn peer(extensions: &Extensions) -> Option<SocketAddr> {
    extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer)
}

/// Returns the client's address behind `proxies` trusted proxies.
///
/// The nearest proxy wrote the last entry, the proxy before it the one before the last, and so on. Entries
/// further to the left come from the caller and are not trusted. If there are too few entries, or the
/// selected entry is not an address, the result is the peer address.
pub(crate) fn address(peer: SocketAddr, headers: &HeaderMap, proxies: u8) -> IpAddr {
    let Some(from_right) = usize::from(proxies).checked_sub(1) else { return peer.ip() };
    let values = headers.get_all(FORWARDED).iter().rev();
    // A value that is not text counts as one entry that cannot be parsed.
    let mut entries = values.flat_map(|value| value.to_str().unwrap_or("?").rsplit(','));
    entries.nth(from_right).and_then(parse).unwrap_or_else(|| peer.ip())
}

/// Parses an address as proxies write it: with or without a port.
fn parse(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let bare = entry.trim_start_matches('[').trim_end_matches(']');
    let with_port = || entry.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_ip(proxies: u8, values: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(FORWARDED, value.parse().unwrap());
        }
        address("192.0.2.1:1000".parse().unwrap(), &headers, proxies).to_string()
    }

    #[test]
    fn without_proxies_the_header_is_ignored() {
        assert_eq!(client_ip(0, &["203.0.113.9"]), "192.0.2.1");
    }

    #[test]
    fn proxies_are_counted_from_the_right() {
        let value = "198.51.100.7, 203.0.113.9,2001:db8::1";
        assert_eq!(client_ip(1, &[value]), "2001:db8::1");
        assert_eq!(client_ip(2, &[value]), "203.0.113.9");
        assert_eq!(client_ip(3, &[value]), "198.51.100.7");
        assert_eq!(client_ip(2, &["198.51.100.7", "203.0.113.9", "192.0.2.8"]), "203.0.113.9");
    }

    #[test]
    fn unparseable_entry_falls_back_to_peer_address() {
        assert_eq!(client_ip(1, &[]), "192.0.2.1");
        assert_eq!(client_ip(4, &["198.51.100.7, 203.0.113.9, 192.0.2.8"]), "192.0.2.1");
        for entry in ["", "unknown", "203.0.113", "203.0.113.9, ", "203.0.113.9:x", "_hidden"] {
            assert_eq!(client_ip(1, &[entry]), "192.0.2.1", "{entry}");
        }
    }

    #[test]
    fn port_is_ignored() {
        assert_eq!(client_ip(1, &["203.0.113.9:4711"]), "203.0.113.9");
        assert_eq!(client_ip(1, &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(client_ip(1, &["[2001:db8::1]"]), "2001:db8::1");
    }
}
