//! Where a request comes from: the peer of the connection, or whoever our own proxies name.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap, HeaderName};

/// The header to whose end each proxy adds the address that it was called from.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address that the connection came from.
pub(crate) fn peer(extensions: &Extensions) -> Option<SocketAddr> {
    extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer)
}

/// The caller's address, behind `proxies` proxies of ours.
///
/// The nearest proxy wrote the last entry, the one before it the last but one: what lies further to
/// the left was written by the caller, and may say anything. Where there are too few entries, or ours
/// is none that can be read, the peer stands for the caller.
pub(crate) fn address(peer: SocketAddr, headers: &HeaderMap, proxies: u8) -> IpAddr {
    let Some(from_right) = usize::from(proxies).checked_sub(1) else { return peer.ip() };
    let lines = headers.get_all(FORWARDED).iter().rev();
    // A line that is no text counts as one entry that nobody can read.
    let mut entries = lines.flat_map(|line| line.to_str().unwrap_or("?").rsplit(','));
    entries.nth(from_right).and_then(parse).unwrap_or_else(|| peer.ip())
}

/// An address as proxies write it: with a port or without.
fn parse(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let bare = entry.trim_start_matches('[').trim_end_matches(']');
    let with_port = || entry.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(proxies: u8, lines: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED, line.parse().unwrap());
        }
        address("192.0.2.1:1000".parse().unwrap(), &headers, proxies).to_string()
    }

    #[test]
    fn without_proxies_the_header_is_ignored() {
        assert_eq!(seen(0, &["203.0.113.9"]), "192.0.2.1");
    }

    #[test]
    fn proxies_are_counted_from_the_right() {
        let line = "198.51.100.7, 203.0.113.9,2001:db8::1";
        assert_eq!(seen(1, &[line]), "2001:db8::1");
        assert_eq!(seen(2, &[line]), "203.0.113.9");
        assert_eq!(seen(3, &[line]), "198.51.100.7");
        assert_eq!(seen(2, &["198.51.100.7", "203.0.113.9", "192.0.2.8"]), "203.0.113.9");
    }

    #[test]
    fn what_cannot_be_read_is_no_caller() {
        assert_eq!(seen(1, &[]), "192.0.2.1");
        assert_eq!(seen(4, &["198.51.100.7, 203.0.113.9, 192.0.2.8"]), "192.0.2.1");
        for entry in ["", "unknown", "203.0.113", "203.0.113.9, ", "203.0.113.9:x", "_hidden"] {
            assert_eq!(seen(1, &[entry]), "192.0.2.1", "{entry}");
        }
    }

    #[test]
    fn a_port_is_left_out() {
        assert_eq!(seen(1, &["203.0.113.9:4711"]), "203.0.113.9");
        assert_eq!(seen(1, &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(seen(1, &["[2001:db8::1]"]), "2001:db8::1");
    }
}
