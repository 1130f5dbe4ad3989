//! RFC 6962 Merkle trees: hashes, proofs and their check (receipts, section 8).

mod check;
mod generate;
mod growth;
mod tree;

pub use self::{
    check::{ProofInvalid, verify_consistency, verify_inclusion},
    generate::{NoProof, NodeSource, consistency, inclusion, root},
    growth::Growth,
    tree::Tree,
};
use crate::digest::Digest;

/// The hash of a leaf: `SHA-256(0x00 || data)`.
pub fn leaf_hash(data: &[u8]) -> Digest {
    Digest::of_parts(&[&[0], data])
}

/// The hash of a node: `SHA-256(0x01 || left || right)`.
pub fn node_hash(left: &Digest, right: &Digest) -> Digest {
    Digest::of_parts(&[&[1], left.as_bytes(), right.as_bytes()])
}

/// The root of a tree without leaves: `SHA-256("")`.
pub fn empty_root() -> Digest {
    Digest::of(b"")
}

/// The largest power of two below `leaves`, where a tree of that many leaves (2 or more) is split.
fn split(leaves: u64) -> Option<u64> {
    1_u64.checked_shl(leaves.checked_sub(1)?.checked_ilog2()?)
}
