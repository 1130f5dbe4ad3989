//! Address blocks: the public ones, and the allow list of an operator.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// A CIDR block: the addresses that share their first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CidrBlock {
    first: IpAddr,
    /// The prefix length: 0..=32 for IPv4, 0..=128 for IPv6.
    bits: u8,
}

impl CidrBlock {
    const fn v4(octets: [u8; 4], bits: u8) -> Self {
        let [a, b, c, d] = octets;
        Self { first: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), bits }
    }

    /// Creates an IPv6 block from the first four groups of 16 bits.
    const fn v6(first: [u16; 4], bits: u8) -> Self {
        let [a, b, c, d] = first;
        Self { first: IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)), bits }
    }

    /// Returns whether the block contains `address`. A block of one IP version contains no address of the
    /// other, not even a mapped one.
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                let difference = u32::from(first) ^ u32::from(address);
                difference.leading_zeros() >= u32::from(self.bits)
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let difference = u128::from(first) ^ u128::from(address);
                difference.leading_zeros() >= u32::from(self.bits)
            }
            _ => false,
        }
    }

    /// Returns whether all bits after the prefix are zero.
    fn is_exact(self) -> bool {
        let bits = u32::from(self.bits);
        match self.first {
            IpAddr::V4(first) => u32::from(first).checked_shl(bits).unwrap_or(0) == 0,
            IpAddr::V6(first) => u128::from(first).checked_shl(bits).unwrap_or(0) == 0,
        }
    }
}

impl FromStr for CidrBlock {
    type Err = String;

    /// Parses `10.1.0.0/16`, `fd00::/8`, or a single address.
    fn from_str(text: &str) -> Result<Self, String> {
        let (first, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let first: IpAddr = first.parse().map_err(|_| format!("`{text}` is not an address"))?;
        let bits_max = if first.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(bits_max), str::parse).ok().filter(|bits| *bits <= bits_max);
        let bits = bits.ok_or_else(|| format!("`{text}` must have 0 to {bits_max} bits"))?;
        let block = Self { first, bits };
        if block.is_exact() {
            Ok(block)
        } else {
            Err(format!("`{text}` has bits set beyond its prefix of {bits}"))
        }
    }
}

impl fmt::Display for CidrBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

/// The address blocks that an operator allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList(Vec<CidrBlock>);

impl AllowList {
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|block| block.contains(address))
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
        blocks.map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

/// The IPv4 blocks that are not public (IANA, "IPv4 Special-Purpose Address Registry", and multicast).
const NOT_PUBLIC_V4: [CidrBlock; 17] = [
    CidrBlock::v4([0, 0, 0, 0], 8),
    CidrBlock::v4([10, 0, 0, 0], 8),
    CidrBlock::v4([100, 64, 0, 0], 10),
    CidrBlock::v4([127, 0, 0, 0], 8),
    CidrBlock::v4([169, 254, 0, 0], 16),
    CidrBlock::v4([172, 16, 0, 0], 12),
    CidrBlock::v4([192, 0, 0, 0], 24),
    CidrBlock::v4([192, 0, 2, 0], 24),
    CidrBlock::v4([192, 52, 193, 0], 24),
    CidrBlock::v4([192, 88, 99, 0], 24),
    CidrBlock::v4([192, 168, 0, 0], 16),
    CidrBlock::v4([198, 18, 0, 0], 15),
    CidrBlock::v4([198, 51, 100, 0], 24),
    CidrBlock::v4([203, 0, 113, 0], 24),
    CidrBlock::v4([224, 0, 0, 0], 4),
    CidrBlock::v4([240, 0, 0, 0], 4),
    // A public address that Azure uses for the host of each virtual machine.
    CidrBlock::v4([168, 63, 129, 16], 32),
];

/// The IPv6 block for global unicast. Mapped, translated, site-local, link-local and unassigned addresses
/// are outside of it.
const GLOBAL_UNICAST_V6: CidrBlock = CidrBlock::v6([0x2000, 0, 0, 0], 3);

/// The blocks of global unicast that are not public (IANA, "IPv6 Special-Purpose Address Registry").
const NOT_PUBLIC_V6: [CidrBlock; 4] = [
    // Teredo, benchmarking, identifiers and other IETF protocol assignments.
    CidrBlock::v6([0x2001, 0, 0, 0], 23),
    CidrBlock::v6([0x2001, 0x0db8, 0, 0], 32),
    // 6to4 contains IPv4 addresses.
    CidrBlock::v6([0x2002, 0, 0, 0], 16),
    CidrBlock::v6([0x3fff, 0, 0, 0], 20),
];

/// Returns whether `address` is a public unicast address.
pub(super) fn is_public(address: IpAddr) -> bool {
    let is_within = |blocks: &[CidrBlock]| blocks.iter().any(|block| block.contains(address));
    match address {
        IpAddr::V4(_) => !is_within(&NOT_PUBLIC_V4),
        IpAddr::V6(_) => GLOBAL_UNICAST_V6.contains(address) && !is_within(&NOT_PUBLIC_V6),
    }
}

/// The blocks of an operator's own network: loopback, private networks and shared provider addresses.
const PRIVATE_NETWORKS: [CidrBlock; 7] = [
    CidrBlock::v4([10, 0, 0, 0], 8),
    CidrBlock::v4([100, 64, 0, 0], 10),
    CidrBlock::v4([127, 0, 0, 0], 8),
    CidrBlock::v4([172, 16, 0, 0], 12),
    CidrBlock::v4([192, 168, 0, 0], 16),
    CidrBlock { first: IpAddr::V6(Ipv6Addr::LOCALHOST), bits: 128 },
    CidrBlock::v6([0xfc00, 0, 0, 0], 7),
];

/// Returns whether `address` is in the operator's own network, by its bits only.
pub(super) fn is_private_network(address: IpAddr) -> bool {
    PRIVATE_NETWORKS.iter().any(|block| block.contains(address))
}
