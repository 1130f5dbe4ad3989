//! Blocks of addresses: which ones are public, and which ones an operator lists.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// Addresses that have their first bits in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    first: IpAddr,
    /// How many bits: 0..=32, or 0..=128.
    bits: u8,
}

impl Block {
    const fn v4(octets: [u8; 4], bits: u8) -> Self {
        let [a, b, c, d] = octets;
        Self { first: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), bits }
    }

    /// The block whose addresses begin with `first`, four groups of 16 bits.
    const fn v6(first: [u16; 4], bits: u8) -> Self {
        let [a, b, c, d] = first;
        Self { first: IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)), bits }
    }

    /// Whether `address` is in it. An address of version 4 is in no block of version 6, however written.
    pub fn holds(self, address: IpAddr) -> bool {
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                let differ = u32::from(first) ^ u32::from(address);
                differ.leading_zeros() >= u32::from(self.bits)
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let differ = u128::from(first) ^ u128::from(address);
                differ.leading_zeros() >= u32::from(self.bits)
            }
            _ => false,
        }
    }

    /// Whether no bit is set behind those that its addresses have in common.
    fn is_exact(self) -> bool {
        let bits = u32::from(self.bits);
        match self.first {
            IpAddr::V4(first) => u32::from(first).checked_shl(bits).unwrap_or(0) == 0,
            IpAddr::V6(first) => u128::from(first).checked_shl(bits).unwrap_or(0) == 0,
        }
    }
}

impl FromStr for Block {
    type Err = String;

    /// `10.1.0.0/16`, `fd00::/8`, or one address.
    fn from_str(text: &str) -> Result<Self, String> {
        let (first, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let first: IpAddr = first.parse().map_err(|_| format!("`{text}` is no address"))?;
        let bits_max = if first.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(bits_max), str::parse).ok().filter(|bits| *bits <= bits_max);
        let bits = bits.ok_or_else(|| format!("`{text}` must have 0 to {bits_max} bits"))?;
        let block = Self { first, bits };
        if block.is_exact() {
            Ok(block)
        } else {
            Err(format!("`{text}` has bits beyond its {bits}"))
        }
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

/// The blocks that an operator lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList(Vec<Block>);

impl AllowList {
    /// Whether `address` is in one of them.
    pub fn holds(&self, address: IpAddr) -> bool {
        self.0.iter().any(|block| block.holds(address))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for AllowList {
    type Err = String;

    /// Blocks with commas between them; none is a list too.
    fn from_str(text: &str) -> Result<Self, String> {
        let blocks = text.split(',').map(str::trim).filter(|block| !block.is_empty());
        blocks.map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

/// What is not public of version 4 (IANA, "IPv4 Special-Purpose Address Registry", and multicast).
const NOT_PUBLIC_V4: [Block; 17] = [
    Block::v4([0, 0, 0, 0], 8),
    Block::v4([10, 0, 0, 0], 8),
    Block::v4([100, 64, 0, 0], 10),
    Block::v4([127, 0, 0, 0], 8),
    Block::v4([169, 254, 0, 0], 16),
    Block::v4([172, 16, 0, 0], 12),
    Block::v4([192, 0, 0, 0], 24),
    Block::v4([192, 0, 2, 0], 24),
    Block::v4([192, 52, 193, 0], 24),
    Block::v4([192, 88, 99, 0], 24),
    Block::v4([192, 168, 0, 0], 16),
    Block::v4([198, 18, 0, 0], 15),
    Block::v4([198, 51, 100, 0], 24),
    Block::v4([203, 0, 113, 0], 24),
    Block::v4([224, 0, 0, 0], 4),
    Block::v4([240, 0, 0, 0], 4),
    // A public address by its number; in one cloud it is every machine's own host.
    Block::v4([168, 63, 129, 16], 32),
];

/// What is given out of version 6 for use in public. All that is mapped, translated, local to a site or a
/// link, or not given out yet, lies outside of it.
const GIVEN_OUT_V6: Block = Block::v6([0x2000, 0, 0, 0], 3);

/// What is not public within it (IANA, "IPv6 Special-Purpose Address Registry").
const NOT_PUBLIC_V6: [Block; 4] = [
    // Teredo, benchmarks, identifiers and others of the IETF's own.
    Block::v6([0x2001, 0, 0, 0], 23),
    Block::v6([0x2001, 0x0db8, 0, 0], 32),
    // 6to4 carries addresses of version 4.
    Block::v6([0x2002, 0, 0, 0], 16),
    Block::v6([0x3fff, 0, 0, 0], 20),
];

/// Whether anybody may be called at `address`: one machine, in public.
pub(super) fn is_public(address: IpAddr) -> bool {
    let is_within = |blocks: &[Block]| blocks.iter().any(|block| block.holds(address));
    match address {
        IpAddr::V4(_) => !is_within(&NOT_PUBLIC_V4),
        IpAddr::V6(_) => GIVEN_OUT_V6.holds(address) && !is_within(&NOT_PUBLIC_V6),
    }
}

/// What an operator's own machines have: this machine, private networks, and what providers share.
const OWN_NETWORK: [Block; 7] = [
    Block::v4([10, 0, 0, 0], 8),
    Block::v4([100, 64, 0, 0], 10),
    Block::v4([127, 0, 0, 0], 8),
    Block::v4([172, 16, 0, 0], 12),
    Block::v4([192, 168, 0, 0], 16),
    Block { first: IpAddr::V6(Ipv6Addr::LOCALHOST), bits: 128 },
    Block::v6([0xfc00, 0, 0, 0], 7),
];

/// Whether `address` is one of an operator's own machines, as far as its number tells.
pub(super) fn is_own_network(address: IpAddr) -> bool {
    OWN_NETWORK.iter().any(|block| block.holds(address))
}
