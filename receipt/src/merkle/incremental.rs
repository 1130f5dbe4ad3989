//! A Merkle tree that is extended from its right edge.

use std::collections::BTreeMap;

use super::{NodeSource, ProofUnavailable, node_hash};
use crate::digest::Digest;

/// An incrementally extended tree. It contains the largest complete subtrees of the initial tree,
/// which are sufficient for its root and for a consistency proof, and all nodes completed since. The default has no
/// leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncrementalTree {
    initial_size: u64,
    size: u64,
    nodes: BTreeMap<(u32, u64), Digest>,
}

impl IncrementalTree {
    /// Creates the tree of the first `size` leaves of `source`.
    ///
    /// # Errors
    /// Returns an error if the source lacks a node.
    pub fn new(source: &impl NodeSource, size: u64) -> Result<Self, ProofUnavailable> {
        let mut nodes = BTreeMap::new();
        for level in (0..u64::BITS).filter(|level| size >> level & 1 == 1) {
            let index = (size >> level).checked_sub(1).ok_or(ProofUnavailable)?;
            nodes.insert((level, index), source.node(level, index).ok_or(ProofUnavailable)?);
        }
        Ok(Self { initial_size: size, size, nodes })
    }

    /// Returns the current number of leaves.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf hash and completes the subtrees that end with it.
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

    /// Returns the nodes of `level` that were completed since creation, with their indexes.
    pub fn completed(&self, level: u32) -> impl Iterator<Item = (u64, Digest)> + '_ {
        let since = self.initial_size.checked_shr(level).unwrap_or(0);
        let nodes = self.nodes.range((level, since)..=(level, u64::MAX));
        nodes.map(|((_, index), hash)| (*index, *hash))
    }
}

impl NodeSource for IncrementalTree {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        self.nodes.get(&(level, index)).copied()
    }
}
