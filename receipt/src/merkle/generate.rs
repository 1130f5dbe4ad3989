//! Merkle roots and proofs, computed from the hashes of complete subtrees (RFC 9162, sections
//! 2.1.3.1 and 2.1.4.1).

use super::{empty_root, node_hash, split};
use crate::digest::Digest;

/// A source of the hashes of complete subtrees, such as a tree in memory, a table or tiles.
pub trait NodeSource {
    /// Returns the hash over the leaves `index * 2^level .. (index + 1) * 2^level`, if all of them
    /// exist.
    fn node(&self, level: u32, index: u64) -> Option<Digest>;
}

/// The requested proof does not exist, or the source lacks a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the proof cannot be computed from this tree")]
pub struct ProofUnavailable;

/// Returns the root of the first `size` leaves.
///
/// # Errors
/// Returns an error if the source lacks a node.
pub fn root(source: &impl NodeSource, size: u64) -> Result<Digest, ProofUnavailable> {
    if size == 0 { Ok(empty_root()) } else { range(source, 0, size).ok_or(ProofUnavailable) }
}

/// Returns the proof that leaf `index` is in the tree of the first `size` leaves. The hash closest
/// to the leaf comes first.
///
/// # Errors
/// Returns an error if `index` is not below `size` or the source lacks a node.
pub fn inclusion(
    source: &impl NodeSource,
    index: u64,
    size: u64,
) -> Result<Vec<Digest>, ProofUnavailable> {
    if index >= size {
        return Err(ProofUnavailable);
    }
    inclusion_path(source, index, size).ok_or(ProofUnavailable)
}

/// Returns the proof that the tree of `old` leaves is a prefix of the tree of `new` leaves.
///
/// # Errors
/// Returns an error if `old` is 0 or above `new`, or if the source lacks a node.
pub fn consistency(
    source: &impl NodeSource,
    old: u64,
    new: u64,
) -> Result<Vec<Digest>, ProofUnavailable> {
    if old == 0 || old > new {
        return Err(ProofUnavailable);
    }
    consistency_path(source, old, new).ok_or(ProofUnavailable)
}

fn inclusion_path(source: &impl NodeSource, index: u64, size: u64) -> Option<Vec<Digest>> {
    let (mut start, mut end) = (0_u64, size);
    let mut path = Vec::new();
    while end.checked_sub(start)? > 1 {
        let middle = start.checked_add(split(end.checked_sub(start)?)?)?;
        if index < middle {
            path.push(range(source, middle, end)?);
            end = middle;
        } else {
            path.push(range(source, start, middle)?);
            start = middle;
        }
    }
    path.reverse();
    Some(path)
}

fn consistency_path(source: &impl NodeSource, old: u64, new: u64) -> Option<Vec<Digest>> {
    let (mut start, mut end) = (0_u64, new);
    let mut path = Vec::new();
    while old < end {
        let middle = start.checked_add(split(end.checked_sub(start)?)?)?;
        if old <= middle {
            path.push(range(source, middle, end)?);
            end = middle;
        } else {
            path.push(range(source, start, middle)?);
            start = middle;
        }
    }
    // If `start` is 0, the old tree is a complete subtree, and the verifier already has its root.
    if start > 0 {
        path.push(range(source, start, end)?);
    }
    path.reverse();
    Some(path)
}

/// Returns the hash over the leaves `start..end`. `start` must be a multiple of every split within
/// the range.
fn range(source: &impl NodeSource, start: u64, end: u64) -> Option<Digest> {
    let leaves = end.checked_sub(start)?;
    if leaves.is_power_of_two() {
        let level = leaves.trailing_zeros();
        return source.node(level, start.checked_shr(level)?);
    }
    let middle = start.checked_add(split(leaves)?)?;
    Some(node_hash(&range(source, start, middle)?, &range(source, middle, end)?))
}
