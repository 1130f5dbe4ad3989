//! Anchors: the index of an entry in the transparency log, with its inclusion proof.

use contract::{json::Value, time::Timestamp};

use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
    members::{Member, members},
    object_reader::{ParseFieldError, SignedObjectReader},
};

/// The provider name of this service's log.
pub const EMBEDDED: &str = "embedded";

/// A tree has at most 2^63 leaves, so a proof has at most 63 hashes.
pub(super) const HASHES_MAX: usize = 63;

/// The index of an entry in the log with its proof. Once set, it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Tree ID and leaf hash, 16 and 64 hex characters.
    pub entry_uuid: String,
    /// The index of the entry.
    pub log_index: u64,
    /// The inclusion proof for that index.
    pub inclusion_proof: InclusionProof,
    /// The time of anchoring according to the service. It is not a trusted timestamp.
    pub anchored_at: Timestamp,
}

/// The inclusion proof of an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InclusionProof {
    /// The hashes; the one closest to the leaf comes first.
    pub hashes: Vec<Digest>,
    /// The index of the entry.
    pub log_index: u64,
    /// The root in the checkpoint.
    pub root_hash: Digest,
    /// The tree size in the checkpoint.
    pub tree_size: u64,
    /// The signed checkpoint. Without it the proof has no value.
    pub checkpoint: Option<String>,
}

members! { InclusionProof { hashes, log_index, root_hash, tree_size, checkpoint } }

impl Anchor {
    /// Returns the anchor as it appears in receipts and bundles.
    pub fn canonical(&self) -> CanonicalJson {
        ObjectBuilder::default()
            .member("provider", EMBEDDED)
            .member("entry_uuid", self.entry_uuid.as_str())
            .member("log_index", self.log_index)
            .member("inclusion_proof", self.inclusion_proof.part())
            .member("anchored_at", self.anchored_at.to_string())
            .member("rekor_public_url", &Value::Null)
            .canonical()
    }

    /// Parses an anchor of this provider.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::new(value, "transparency_anchor")?;
        if fields.text("provider")? != EMBEDDED {
            return Err(ParseFieldError::Member("provider"));
        }
        let entry_uuid = fields.text("entry_uuid")?;
        let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if entry_uuid.len() != 80 || !entry_uuid.bytes().all(hex) {
            return Err(ParseFieldError::Member("entry_uuid"));
        }
        let inclusion_proof: InclusionProof = Member::read_from(fields, "inclusion_proof")?;
        if inclusion_proof.hashes.len() > HASHES_MAX {
            return Err(ParseFieldError::Member("hashes"));
        }
        Ok(Self {
            entry_uuid: entry_uuid.to_owned(),
            log_index: fields.member("log_index")?,
            inclusion_proof,
            anchored_at: fields.member("anchored_at")?,
        })
    }

    /// Returns the two parts of `entry_uuid`: tree ID and leaf hash.
    pub fn entry(&self) -> (&str, &str) {
        self.entry_uuid.split_at_checked(16).unwrap_or_default()
    }
}
