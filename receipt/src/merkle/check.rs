//! Verification of Merkle proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2). Surplus and missing
//! hashes are refused.

use super::node_hash;
use crate::digest::Digest;

/// A Merkle proof that does not match the leaf, sizes and roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the proof is not valid")]
pub struct InvalidProof;

/// Checks that the leaf with hash `leaf` has index `index` among the `size` leaves under `root`.
///
/// # Errors
/// Returns an error if the proof is invalid.
pub fn verify_inclusion(
    leaf: Digest,
    index: u64,
    size: u64,
    proof: &[Digest],
    root: Digest,
) -> Result<(), InvalidProof> {
    if index >= size {
        return Err(InvalidProof);
    }
    let mut position = TreePosition { node: index, last: size.checked_sub(1).ok_or(InvalidProof)? };
    let mut hash = leaf;
    for sibling in proof {
        if position.last == 0 {
            return Err(InvalidProof);
        }
        hash = if position.has_left() {
            position.skip_levels_without_sibling();
            node_hash(sibling, &hash)
        } else {
            node_hash(&hash, sibling)
        };
        position.move_to_parent();
    }
    if position.last == 0 && hash == root { Ok(()) } else { Err(InvalidProof) }
}

/// Checks that the tree with `old` leaves and `old_root` is a prefix of the tree with `new` leaves
/// and `new_root`. An empty old tree is refused, because it has no consistency proof.
///
/// # Errors
/// Returns an error if the proof is invalid.
pub fn verify_consistency(
    old: u64,
    new: u64,
    proof: &[Digest],
    old_root: Digest,
    new_root: Digest,
) -> Result<(), InvalidProof> {
    if old == 0 || old > new {
        return Err(InvalidProof);
    }
    if old == new {
        let is_same_tree = proof.is_empty() && old_root == new_root;
        return if is_same_tree { Ok(()) } else { Err(InvalidProof) };
    }
    let (first, rest) = if old.is_power_of_two() {
        (old_root, proof)
    } else {
        let (first, rest) = proof.split_first().ok_or(InvalidProof)?;
        (*first, rest)
    };
    if rest.is_empty() {
        return Err(InvalidProof);
    }
    let last_index = |size: u64| size.checked_sub(1).ok_or(InvalidProof);
    let mut position = TreePosition { node: last_index(old)?, last: last_index(new)? };
    while position.node % 2 == 1 {
        position.move_to_parent();
    }
    let (mut old_hash, mut new_hash) = (first, first);
    for sibling in rest {
        if position.last == 0 {
            return Err(InvalidProof);
        }
        if position.has_left() {
            old_hash = node_hash(sibling, &old_hash);
            new_hash = node_hash(sibling, &new_hash);
            position.skip_levels_without_sibling();
        } else {
            new_hash = node_hash(&new_hash, sibling);
        }
        position.move_to_parent();
    }
    let is_valid = position.last == 0 && old_hash == old_root && new_hash == new_root;
    if is_valid { Ok(()) } else { Err(InvalidProof) }
}

/// The position of a node in the tree: its index and the index of the last node on its level.
struct TreePosition {
    node: u64,
    last: u64,
}

impl TreePosition {
    /// Returns whether the next sibling is on the left: the node is a right child or the last node
    /// of its level.
    const fn has_left(&self) -> bool {
        self.node % 2 == 1 || self.node == self.last
    }

    /// Skips the levels on which the last node has no sibling.
    const fn skip_levels_without_sibling(&mut self) {
        while self.node.is_multiple_of(2) && self.node != 0 {
            self.move_to_parent();
        }
    }

    const fn move_to_parent(&mut self) {
        self.node >>= 1;
        self.last >>= 1;
    }
}
