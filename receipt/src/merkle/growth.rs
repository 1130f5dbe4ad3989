//! A tree of which only the right edge is at hand, and what is added to it.

use std::collections::BTreeMap;

use super::{NoProof, NodeSource, node_hash};
use crate::digest::Digest;

/// A tree that grows. It knows the greatest complete subtrees of what was there before, which is enough
/// for its root and for a proof that it only grew, and every node that has been completed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    before: u64,
    size: u64,
    nodes: BTreeMap<(u32, u64), Digest>,
}

impl Growth {
    /// The tree of the first `size` leaves of `source`.
    ///
    /// # Errors
    /// The source lacks a node.
    pub fn of(source: &impl NodeSource, size: u64) -> Result<Self, NoProof> {
        let mut nodes = BTreeMap::new();
        for level in (0..u64::BITS).filter(|level| size >> level & 1 == 1) {
            let index = (size >> level).checked_sub(1).ok_or(NoProof)?;
            nodes.insert((level, index), source.node(level, index).ok_or(NoProof)?);
        }
        Ok(Self { before: size, size, nodes })
    }

    /// How many leaves there are by now.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf by its hash, and completes the subtrees that end with it.
    pub fn push(&mut self, leaf: Digest) {
        let (mut level, mut index, mut hash) = (0_u32, self.size, leaf);
        self.size = self.size.saturating_add(1);
        loop {
            self.nodes.insert((level, index), hash);
            let sibling = index.checked_sub(1).filter(|_| index % 2 == 1);
            let Some(left) = sibling.and_then(|left| self.nodes.get(&(level, left))) else {
                return;
            };
            hash = node_hash(left, &hash);
            (level, index) = (level.saturating_add(1), index >> 1);
        }
    }

    /// The nodes of `level` that were completed since, by number.
    pub fn completed(&self, level: u32) -> impl Iterator<Item = (u64, Digest)> + '_ {
        let since = self.before.checked_shr(level).unwrap_or(0);
        let nodes = self.nodes.range((level, since)..=(level, u64::MAX));
        nodes.map(|((_, index), hash)| (*index, *hash))
    }
}

impl NodeSource for Growth {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        self.nodes.get(&(level, index)).copied()
    }
}
