//! Address blocks: the public ones, and the allow list of an operator.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

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
pub(super) fn is_public(address: IpAddr) -> bool {
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
pub(super) fn is_private_network(address: IpAddr) -> bool {
    PRIVATE_NETWORKS.iter().any(|block| block.contains(&address))
}
