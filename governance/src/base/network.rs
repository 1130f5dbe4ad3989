//! Network blocks: addresses that limits count as one, because one client can use all of them.

use std::net::{IpAddr, Ipv6Addr};

/// Returns the block of an address: an IPv4 address itself, or the /64 of an IPv6 address.
pub fn block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Returns the block as text: `192.0.2.1` or `2001:db8:0:1::/64`.
pub fn block_text(address: IpAddr) -> String {
    match block(address) {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => format!("{v6}/64"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_is_an_ipv4_address_or_an_ipv6_64() {
        let text = |address: &str| block_text(address.parse().unwrap());
        assert_eq!(text("192.0.2.1"), "192.0.2.1");
        assert_eq!(text("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(text("2001:db8:0:1:ffff::2"), "2001:db8:0:1::/64");
    }
}
