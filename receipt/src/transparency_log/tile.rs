//! C2SP tiles: the tree nodes in blocks of at most 256 hashes, each with a path.

use std::{cell::RefCell, collections::BTreeSet, fmt, ops::Range, str::FromStr};

use super::checkpoint::decimal;
use crate::{
    digest::Digest,
    merkle::{NodeSource, node_hash},
};

/// The number of hashes or entries of a full tile.
const WIDTH: u64 = 256;
/// The number of tree levels that a tile spans.
const HEIGHT: u32 = 8;

/// A tile of hashes or of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// The tile level. Its hashes are on level 8 × `level` of the tree. `None` is a tile of
    /// entries.
    pub level: Option<u8>,
    /// The index of the tile on its level, from 0.
    pub index: u64,
    /// The number of hashes or entries, 1 to 256.
    pub width: u16,
}

/// A path that is not the path of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the path of a tile")]
pub struct ParseTileError;

impl Tile {
    /// Returns whether the tile is complete.
    pub const fn is_full(&self) -> bool {
        self.width == 256
    }

    /// Returns the indexes of its hashes on their tree level, or of its entries.
    pub fn range(&self) -> Range<u64> {
        let start = self.index.saturating_mul(WIDTH);
        start..start.saturating_add(u64::from(self.width))
    }

    /// Returns the bytes of a tile of hashes. Returns `None` if the source lacks a node, and for
    /// tiles of entries.
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
    /// Writes the path `tile/<L>/<N>[.p/<W>]`, with the index in groups of three digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Some(level) => write!(f, "tile/{level}/")?,
            None => write!(f, "tile/entries/")?,
        }
        let digits = self.index.to_string();
        let length = digits.len().next_multiple_of(3);
        let digits = format!("{digits:0>length$}");
        for (position, digit) in digits.chars().enumerate() {
            let remaining = length.saturating_sub(position);
            if remaining % 3 == 0 {
                f.write_str(if position == 0 { "" } else { "/" })?;
                f.write_str(if remaining > 3 { "x" } else { "" })?;
            }
            write!(f, "{digit}")?;
        }
        if self.is_full() { Ok(()) } else { write!(f, ".p/{}", self.width) }
    }
}

impl FromStr for Tile {
    type Err = ParseTileError;

    fn from_str(path: &str) -> Result<Self, ParseTileError> {
        let rest = path.strip_prefix("tile/").ok_or(ParseTileError)?;
        let (level, rest) = rest.split_once('/').ok_or(ParseTileError)?;
        let level = match level {
            "entries" => None,
            level => {
                let level = decimal(level).and_then(|level| u8::try_from(level).ok());
                Some(level.filter(|level| *level < 8).ok_or(ParseTileError)?)
            }
        };
        let (number, width) = match rest.split_once(".p/") {
            Some((number, width)) => (number, decimal(width).ok_or(ParseTileError)?),
            None => (rest, WIDTH),
        };
        let digits: String = number.split('/').map(|group| group.trim_start_matches('x')).collect();
        let index = digits.parse().map_err(|_| ParseTileError)?;
        let width = u16::try_from(width).ok().filter(|width| (1..=256).contains(width));
        let tile = Self { level, index, width: width.ok_or(ParseTileError)? };
        if tile.to_string() == path { Ok(tile) } else { Err(ParseTileError) }
    }
}

/// Returns the tiles that a tree of `new` entries adds to a tree of `old` entries. Entry tiles come
/// first, then the levels from the lowest; a partial tile comes last on its level.
pub fn new_tiles(old: u64, new: u64) -> Vec<Tile> {
    let mut tiles = Vec::new();
    push_new_tiles(None, old, new, &mut tiles);
    for level in 0..8_u8 {
        let shift = u32::from(level).saturating_mul(HEIGHT);
        let (old, new) = (old >> shift, new >> shift);
        push_new_tiles(Some(level), old, new, &mut tiles);
    }
    tiles
}

fn push_new_tiles(level: Option<u8>, old: u64, new: u64, tiles: &mut Vec<Tile>) {
    if new <= old {
        return;
    }
    for index in old / WIDTH..=new.saturating_sub(1) / WIDTH {
        let width = new.saturating_sub(index.saturating_mul(WIDTH)).min(WIDTH);
        let width = u16::try_from(width).unwrap_or(256);
        tiles.push(Tile { level, index, width });
    }
}

/// The nodes of a tree of `size` entries, computed from its tiles.
#[derive(Debug)]
pub struct TileNodes<F> {
    /// The number of entries of the tree.
    pub size: u64,
    /// A function that returns the bytes of a tile.
    pub read: F,
}

/// Returns the tile with the hashes below a node of a tree of `size` entries, and the indexes of
/// these hashes on the level of the tile.
fn tile_and_range(size: u64, level: u32, index: u64) -> Option<(Tile, Range<u64>)> {
    let (tile_level, levels_below) = (level / HEIGHT, level % HEIGHT);
    let first = index.checked_shl(levels_below)?;
    let hashes = size.checked_shr(tile_level.checked_mul(HEIGHT)?)?;
    let tile = first / WIDTH;
    let width = hashes.checked_sub(tile.checked_mul(WIDTH)?)?.min(WIDTH);
    let level = Some(u8::try_from(tile_level).ok()?);
    let tile = Tile { level, index: tile, width: u16::try_from(width).ok()? };
    Some((tile, first..first.checked_add(1_u64.checked_shl(levels_below)?)?))
}

/// Records the tiles needed to compute a root or proof, so that the caller can fetch them first. It
/// returns placeholder hashes: the root or proof computed with it is meaningless.
#[derive(Debug)]
pub struct RequiredTiles {
    size: u64,
    tiles: RefCell<BTreeSet<Tile>>,
}

impl RequiredTiles {
    /// Returns the tiles that `compute` reads from a tree of `size` entries, in order.
    pub fn record<T>(size: u64, compute: impl FnOnce(&Self) -> T) -> Vec<Tile> {
        let recorder = Self { size, tiles: RefCell::default() };
        compute(&recorder);
        recorder.tiles.into_inner().into_iter().collect()
    }
}

impl NodeSource for RequiredTiles {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        let (tile, hashes) = tile_and_range(self.size, level, index)?;
        if hashes.end > tile.range().end {
            return None;
        }
        self.tiles.borrow_mut().insert(tile);
        Some([0; 32].into())
    }
}

impl<F: Fn(Tile) -> Option<Vec<u8>>> NodeSource for TileNodes<F> {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        let (tile, range) = tile_and_range(self.size, level, index)?;
        let count = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        let bytes = (self.read)(tile)?;
        let mut hashes: Vec<Digest> = bytes
            .as_chunks::<32>()
            .0
            .iter()
            .skip(usize::try_from(range.start % WIDTH).ok()?)
            .take(count)
            .map(|hash| Digest::from(*hash))
            .collect();
        if hashes.len() != count {
            return None;
        }
        while hashes.len() > 1 {
            let (pairs, _) = hashes.as_chunks::<2>();
            hashes = pairs.iter().map(|[left, right]| node_hash(left, right)).collect();
        }
        hashes.first().copied()
    }
}
