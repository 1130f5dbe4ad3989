//! Log entries and their leaf bytes. Nothing of a tenant is in a leaf.

use crate::{
    canon::{Canonical, Members},
    digest::Digest,
};

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A receipt, by its receipt digest.
    Receipt,
    /// A seal, by its digest.
    ChainSeal,
    /// An approval, by its digest.
    PolicyApproval,
    /// A version of the trust registry, by its digest.
    TrustRegistry,
    /// A checkpoint of an audit log, by its digest.
    AuditCheckpoint,
}

impl EntryKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Receipt,
        Self::ChainSeal,
        Self::PolicyApproval,
        Self::TrustRegistry,
        Self::AuditCheckpoint,
    ];

    /// The word in the leaf.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::ChainSeal => "chain_seal",
            Self::PolicyApproval => "policy_approval",
            Self::TrustRegistry => "trust_registry",
            Self::AuditCheckpoint => "audit_checkpoint",
        }
    }
}

/// The leaf data of an entry. Its leaf hash is [`leaf_hash`](crate::merkle::leaf_hash) of the text.
pub fn entry(kind: EntryKind, digest: Digest) -> Canonical {
    Members::schema("service-log-entry/v1")
        .with("kind", kind.as_str())
        .with("digest", digest)
        .canonical()
}

/// A text that is no entry bundle, or an entry that does not fit into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an entry bundle")]
pub struct BundleMalformed;

/// The entry bundle of `entries`: each with its length in 2 bytes before it, greatest first.
///
/// # Errors
/// An entry is longer than 65,535 bytes.
pub fn encode_entries<'a>(
    entries: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<u8>, BundleMalformed> {
    let mut bundle = Vec::new();
    for entry in entries {
        let length = u16::try_from(entry.len()).map_err(|_| BundleMalformed)?;
        bundle.extend(length.to_be_bytes());
        bundle.extend(entry);
    }
    Ok(bundle)
}

/// The entries of an entry bundle.
///
/// # Errors
/// It ends within an entry.
pub fn decode_entries(mut bundle: &[u8]) -> Result<Vec<&[u8]>, BundleMalformed> {
    let mut entries = Vec::new();
    while !bundle.is_empty() {
        let (length, rest) = bundle.split_first_chunk::<2>().ok_or(BundleMalformed)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (entry, rest) = rest.split_at_checked(length).ok_or(BundleMalformed)?;
        entries.push(entry);
        bundle = rest;
    }
    Ok(entries)
}
