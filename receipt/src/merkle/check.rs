//! Checks proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2). Surplus and missing hashes are refused.

use super::node_hash;
use crate::digest::Digest;

/// A proof that does not prove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the proof does not hold")]
pub struct ProofInvalid;

/// Checks that the leaf with hash `leaf` is number `index` of the `size` leaves under `root`.
///
/// # Errors
/// It is not shown to be.
pub fn verify_inclusion(
    leaf: Digest,
    index: u64,
    size: u64,
    proof: &[Digest],
    root: Digest,
) -> Result<(), ProofInvalid> {
    if index >= size {
        return Err(ProofInvalid);
    }
    let mut place = Place { node: index, last: size.checked_sub(1).ok_or(ProofInvalid)? };
    let mut hash = leaf;
    for sibling in proof {
        if place.last == 0 {
            return Err(ProofInvalid);
        }
        hash = if place.has_left() {
            place.climb_to_left();
            node_hash(sibling, &hash)
        } else {
            node_hash(&hash, sibling)
        };
        place.climb();
    }
    if place.last == 0 && hash == root { Ok(()) } else { Err(ProofInvalid) }
}

/// Checks that the tree of `old` leaves under `old_root` is the beginning of the one of `new` leaves
/// under `new_root`. Nothing can be shown from an empty tree.
///
/// # Errors
/// It is not shown to be.
pub fn verify_consistency(
    old: u64,
    new: u64,
    proof: &[Digest],
    old_root: Digest,
    new_root: Digest,
) -> Result<(), ProofInvalid> {
    if old == 0 || old > new {
        return Err(ProofInvalid);
    }
    if old == new {
        let same = proof.is_empty() && old_root == new_root;
        return if same { Ok(()) } else { Err(ProofInvalid) };
    }
    let (first, rest) = if old.is_power_of_two() {
        (old_root, proof)
    } else {
        let (first, rest) = proof.split_first().ok_or(ProofInvalid)?;
        (*first, rest)
    };
    if rest.is_empty() {
        return Err(ProofInvalid);
    }
    let last = |size: u64| size.checked_sub(1).ok_or(ProofInvalid);
    let mut place = Place { node: last(old)?, last: last(new)? };
    while place.node % 2 == 1 {
        place.climb();
    }
    let (mut old_hash, mut new_hash) = (first, first);
    for sibling in rest {
        if place.last == 0 {
            return Err(ProofInvalid);
        }
        if place.has_left() {
            old_hash = node_hash(sibling, &old_hash);
            new_hash = node_hash(sibling, &new_hash);
            place.climb_to_left();
        } else {
            new_hash = node_hash(&new_hash, sibling);
        }
        place.climb();
    }
    let holds = place.last == 0 && old_hash == old_root && new_hash == new_root;
    if holds { Ok(()) } else { Err(ProofInvalid) }
}

/// A node and the last node of its level.
struct Place {
    node: u64,
    last: u64,
}

impl Place {
    /// Whether the next hash stands to the left: the node is a right child, or the last of its level.
    const fn has_left(&self) -> bool {
        self.node % 2 == 1 || self.node == self.last
    }

    /// Skips the levels on which the last node has no sibling.
    const fn climb_to_left(&mut self) {
        while self.node.is_multiple_of(2) && self.node != 0 {
            self.climb();
        }
    }

    const fn climb(&mut self) {
        self.node >>= 1;
        self.last >>= 1;
    }
}
