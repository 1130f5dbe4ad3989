//! RFC 6962 Merkle trees: hashes, proofs and proof verification (receipts, section 8).

mod check;
mod generate;
mod incremental;
mod tree;

pub use self::{
    check::{InvalidProof, verify_consistency, verify_inclusion},
    generate::{NodeSource, ProofUnavailable, consistency, inclusion, root},
    incremental::IncrementalTree,
    tree::Tree,
};
use crate::digest::Digest;

/// Returns the hash of a leaf: `SHA-256(0x00 || data)`.
pub fn leaf_hash(data: &[u8]) -> Digest {
    Digest::compute_parts(&[&[0], data])
}

/// Returns the hash of a node: `SHA-256(0x01 || left || right)`.
pub fn node_hash(left: &Digest, right: &Digest) -> Digest {
    Digest::compute_parts(&[&[1], left.as_bytes(), right.as_bytes()])
}

/// Returns the root of a tree without leaves: `SHA-256("")`.
pub fn empty_root() -> Digest {
    Digest::compute(b"")
}

/// Returns the largest power of two below `leaves`, which must be at least 2. A tree of `leaves`
/// leaves is split there.
fn split(leaves: u64) -> Option<u64> {
    1_u64.checked_shl(leaves.checked_sub(1)?.checked_ilog2()?)
}
