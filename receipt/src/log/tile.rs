//! C2SP tiles: the nodes of the tree in pieces of at most 256 hashes, each with a path.

use std::{cell::RefCell, collections::BTreeSet, fmt, ops::Range, str::FromStr};

use super::checkpoint::decimal;
use crate::{
    digest::Digest,
    merkle::{NodeSource, node_hash},
};

/// How many hashes or entries a full tile has.
const WIDTH: u64 = 256;
/// How many levels of the tree a tile spans.
const HEIGHT: u32 = 8;

/// A tile of hashes, or of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// The tile's level: its hashes stand at level 8 × `level` of the tree. `None` holds entries.
    pub level: Option<u8>,
    /// Its place on the level, from 0.
    pub index: u64,
    /// How many hashes or entries it has, 1 to 256.
    pub width: u16,
}

/// A path that is no tile's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the path of a tile")]
pub struct NotATile;

impl Tile {
    /// Whether it has all it will ever have.
    pub const fn is_full(&self) -> bool {
        self.width == 256
    }

    /// The numbers of its hashes on their level, or of its entries.
    pub fn range(&self) -> Range<u64> {
        let start = self.index.saturating_mul(WIDTH);
        start..start.saturating_add(u64::from(self.width))
    }

    /// The bytes of a tile of hashes; `None` when the source lacks a node, or for entries.
    pub fn hashes(&self, source: &impl NodeSource) -> Option<Vec<u8>> {
        let level = u32::from(self.level?).checked_mul(HEIGHT)?;
        let mut bytes = Vec::new();
        for index in self.range() {
            bytes.extend(source.node(level, index)?.as_bytes());
        }
        Some(bytes)
    }
}

impl fmt::Display for Tile {
    /// Writes the path, `tile/<L>/<N>[.p/<W>]`; the number in groups of three digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Some(level) => write!(f, "tile/{level}/")?,
            None => write!(f, "tile/entries/")?,
        }
        let digits = self.index.to_string();
        let length = digits.len().next_multiple_of(3);
        let digits = format!("{digits:0>length$}");
        for (place, digit) in digits.chars().enumerate() {
            let remaining = length.saturating_sub(place);
            if remaining % 3 == 0 {
                f.write_str(if place == 0 { "" } else { "/" })?;
                f.write_str(if remaining > 3 { "x" } else { "" })?;
            }
            write!(f, "{digit}")?;
        }
        if self.is_full() { Ok(()) } else { write!(f, ".p/{}", self.width) }
    }
}

impl FromStr for Tile {
    type Err = NotATile;

    fn from_str(path: &str) -> Result<Self, NotATile> {
        let rest = path.strip_prefix("tile/").ok_or(NotATile)?;
        let (level, rest) = rest.split_once('/').ok_or(NotATile)?;
        let level = match level {
            "entries" => None,
            level => {
                let level = decimal(level).and_then(|level| u8::try_from(level).ok());
                Some(level.filter(|level| *level < 8).ok_or(NotATile)?)
            }
        };
        let (number, width) = match rest.split_once(".p/") {
            Some((number, width)) => (number, decimal(width).ok_or(NotATile)?),
            None => (rest, WIDTH),
        };
        let digits: String = number.split('/').map(|group| group.trim_start_matches('x')).collect();
        let index = digits.parse().map_err(|_| NotATile)?;
        let width = u16::try_from(width).ok().filter(|width| (1..=256).contains(width));
        let tile = Self { level, index, width: width.ok_or(NotATile)? };
        if tile.to_string() == path { Ok(tile) } else { Err(NotATile) }
    }
}

/// The tiles that a tree of `new` entries has and one of `old` entries had not, lowest level first;
/// on each level in order, a partial one last. Entry tiles come first.
pub fn new_tiles(old: u64, new: u64) -> Vec<Tile> {
    let mut tiles = Vec::new();
    grown(None, old, new, &mut tiles);
    for level in 0..8_u8 {
        let shift = u32::from(level).saturating_mul(HEIGHT);
        let (old, new) = (old >> shift, new >> shift);
        grown(Some(level), old, new, &mut tiles);
    }
    tiles
}

fn grown(level: Option<u8>, old: u64, new: u64, tiles: &mut Vec<Tile>) {
    if new <= old {
        return;
    }
    for index in old / WIDTH..=new.saturating_sub(1) / WIDTH {
        let width = new.saturating_sub(index.saturating_mul(WIDTH)).min(WIDTH);
        let width = u16::try_from(width).unwrap_or(256);
        tiles.push(Tile { level, index, width });
    }
}

/// The nodes of a tree of `size` entries, from the bytes of its tiles.
#[derive(Debug)]
pub struct TileNodes<F> {
    /// How many entries the tree has.
    pub size: u64,
    /// Gives the bytes of a tile.
    pub read: F,
}

/// The tile that holds what a node of a tree of `size` entries is made of, and the numbers of these
/// hashes on the tile's level.
fn beneath(size: u64, level: u32, index: u64) -> Option<(Tile, Range<u64>)> {
    let (tile_level, inside) = (level / HEIGHT, level % HEIGHT);
    let first = index.checked_shl(inside)?;
    let hashes = size.checked_shr(tile_level.checked_mul(HEIGHT)?)?;
    let tile = first / WIDTH;
    let width = hashes.checked_sub(tile.checked_mul(WIDTH)?)?.min(WIDTH);
    let level = Some(u8::try_from(tile_level).ok()?);
    let tile = Tile { level, index: tile, width: u16::try_from(width).ok()? };
    Some((tile, first..first.checked_add(1_u64.checked_shl(inside)?)?))
}

/// Notes the tiles that a root or a proof of a tree of `size` entries is made of, for whoever must fetch
/// them all before: what is made from it is no root and no proof.
#[derive(Debug)]
pub struct Needed {
    size: u64,
    tiles: RefCell<BTreeSet<Tile>>,
}

impl Needed {
    /// What `make` asks of a tree of `size` entries, in order.
    pub fn by<T>(size: u64, make: impl FnOnce(&Self) -> T) -> Vec<Tile> {
        let needed = Self { size, tiles: RefCell::default() };
        make(&needed);
        needed.tiles.into_inner().into_iter().collect()
    }
}

impl NodeSource for Needed {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        let (tile, hashes) = beneath(self.size, level, index)?;
        if hashes.end > tile.range().end {
            return None;
        }
        self.tiles.borrow_mut().insert(tile);
        Some([0; 32].into())
    }
}

impl<F: Fn(Tile) -> Option<Vec<u8>>> NodeSource for TileNodes<F> {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        let (tile, range) = beneath(self.size, level, index)?;
        let count = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        let bytes = (self.read)(tile)?;
        let mut hashes: Vec<Digest> = bytes
            .chunks_exact(32)
            .skip(usize::try_from(range.start % WIDTH).ok()?)
            .take(count)
            .filter_map(|hash| <[u8; 32]>::try_from(hash).ok().map(Digest::from))
            .collect();
        if hashes.len() != count {
            return None;
        }
        while hashes.len() > 1 {
            let pairs = hashes.chunks_exact(2);
            hashes = pairs
                .filter_map(|pair| match pair {
                    [left, right] => Some(node_hash(left, right)),
                    _ => None,
                })
                .collect();
        }
        hashes.first().copied()
    }
}
