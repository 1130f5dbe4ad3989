//! Log entries and their leaf bytes. Leaves contain no tenant data.

use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
};

contract::named_enum! {
    /// The kind of object that an entry commits to.
    pub enum EntryKind {
        /// A receipt, by its receipt digest.
        Receipt = "receipt",
        /// A chain seal, by its digest.
        ChainSeal = "chain_seal",
        /// A policy approval, by its digest.
        PolicyApproval = "policy_approval",
        /// A trust registry version, by its digest.
        TrustRegistry = "trust_registry",
        /// An audit checkpoint, by its digest.
        AuditCheckpoint = "audit_checkpoint",
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
