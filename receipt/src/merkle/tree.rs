//! Merkle trees in memory.

use super::{NodeSource, node_hash};
use crate::digest::Digest;

/// A Merkle tree in memory: the hashes of all complete subtrees by level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    levels: Vec<Vec<Digest>>,
}

impl Tree {
    /// Returns the number of leaves.
    pub fn size(&self) -> u64 {
        let leaves = self.levels.first().map_or(0, Vec::len);
        u64::try_from(leaves).unwrap_or(u64::MAX)
    }

    /// Appends a leaf hash and completes the subtrees that end with it.
    pub fn push(&mut self, leaf: Digest) {
        let (mut level, mut hash) = (0, leaf);
        loop {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let Some(hashes) = self.levels.get_mut(level) else { return };
            hashes.push(hash);
            let ([.., left, right], 0) = (hashes.as_slice(), hashes.len() % 2) else { return };
            hash = node_hash(left, right);
            level = level.saturating_add(1);
        }
    }
}

impl FromIterator<Digest> for Tree {
    fn from_iter<I: IntoIterator<Item = Digest>>(leaves: I) -> Self {
        let mut tree = Self::default();
        leaves.into_iter().for_each(|leaf| tree.push(leaf));
        tree
    }
}

impl NodeSource for Tree {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        let level = self.levels.get(usize::try_from(level).ok()?)?;
        level.get(usize::try_from(index).ok()?).copied()
    }
}
