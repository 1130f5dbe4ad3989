//! Log entries and their leaf bytes. Leaves contain no tenant data.

use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
};

/// The kind of object that an entry commits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A receipt, by its receipt digest.
    Receipt,
    /// A chain seal, by its digest.
    ChainSeal,
    /// A policy approval, by its digest.
    PolicyApproval,
    /// A trust registry version, by its digest.
    TrustRegistry,
    /// An audit checkpoint, by its digest.
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

    /// Returns the name of the kind in the leaf.
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

/// Returns the leaf data of an entry. Its leaf hash is [`leaf_hash`](crate::merkle::leaf_hash) of
/// the text.
pub fn entry(kind: EntryKind, digest: Digest) -> CanonicalJson {
    ObjectBuilder::with_schema("service-log-entry/v1")
        .member("kind", kind.as_str())
        .member("digest", digest)
        .canonical()
}

/// Bytes that are not an entry bundle, or an entry that does not fit into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an entry bundle")]
pub struct ParseEntryBundleError;

/// Encodes entries as an entry bundle: each entry follows its length in 2 bytes, big-endian.
///
/// # Errors
/// Returns an error if an entry is longer than 65,535 bytes.
pub fn encode_entries<'a>(
    entries: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<u8>, ParseEntryBundleError> {
    let mut bundle = Vec::new();
    for entry in entries {
        let length = u16::try_from(entry.len()).map_err(|_| ParseEntryBundleError)?;
        bundle.extend(length.to_be_bytes());
        bundle.extend(entry);
    }
    Ok(bundle)
}

/// Decodes an entry bundle.
///
/// # Errors
/// Returns an error if the bundle ends within an entry.
pub fn decode_entries(mut bundle: &[u8]) -> Result<Vec<&[u8]>, ParseEntryBundleError> {
    let mut entries = Vec::new();
    while !bundle.is_empty() {
        let (length, rest) = bundle.split_first_chunk::<2>().ok_or(ParseEntryBundleError)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (entry, rest) = rest.split_at_checked(length).ok_or(ParseEntryBundleError)?;
        entries.push(entry);
        bundle = rest;
    }
    Ok(entries)
}
