//! Anchors: where an entry stands in the log, with its proof.

use contract::{json::Value, time::Timestamp};

use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    fields::{Fields, Malformed},
};

/// The provider that this service is.
pub const EMBEDDED: &str = "embedded";

/// A tree has at most 2^63 leaves, so a proof at most so many hashes.
const HASHES_MAX: usize = 63;

/// Where an entry stands in the log. Once set, it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Tree id and leaf hash: 16 and 64 hex characters.
    pub entry_uuid: String,
    /// The number of the entry.
    pub log_index: u64,
    /// Why to believe it.
    pub inclusion_proof: InclusionProof,
    /// When the service says that it was anchored: no trusted time.
    pub anchored_at: Timestamp,
}

/// The proof of an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InclusionProof {
    /// Lowest hash first.
    pub hashes: Vec<Digest>,
    /// The number of the entry.
    pub log_index: u64,
    /// The root, as the checkpoint has it.
    pub root_hash: Digest,
    /// The size of the tree, as the checkpoint has it.
    pub tree_size: u64,
    /// The signed note; without it the proof proves nothing.
    pub checkpoint: Option<String>,
}

impl Anchor {
    /// The anchor as receipts and bundles show it.
    pub fn canonical(&self) -> Canonical {
        let proof = &self.inclusion_proof;
        let hashes: Vec<_> = proof.hashes.iter().copied().map(Part::from).collect();
        let inclusion_proof = Members::default()
            .with("hashes", hashes)
            .with("log_index", proof.log_index)
            .with("root_hash", proof.root_hash)
            .with("tree_size", proof.tree_size)
            .maybe("checkpoint", proof.checkpoint.as_deref());
        Members::default()
            .with("provider", EMBEDDED)
            .with("entry_uuid", self.entry_uuid.as_str())
            .with("log_index", self.log_index)
            .with("inclusion_proof", inclusion_proof)
            .with("anchored_at", self.anchored_at.to_string())
            .with("rekor_public_url", &Value::Null)
            .canonical()
    }

    /// Reads an anchor of this provider.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "transparency_anchor")?;
        if fields.text("provider")? != EMBEDDED {
            return Err(Malformed::Member("provider"));
        }
        let entry_uuid = fields.text("entry_uuid")?;
        let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if entry_uuid.len() != 80 || !entry_uuid.bytes().all(hex) {
            return Err(Malformed::Member("entry_uuid"));
        }
        Ok(Self {
            entry_uuid: entry_uuid.to_owned(),
            log_index: fields.whole("log_index")?,
            inclusion_proof: InclusionProof::read(fields.object("inclusion_proof")?)?,
            anchored_at: fields.exact("anchored_at")?,
        })
    }

    /// The tree id and the leaf hash that `entry_uuid` consists of.
    pub fn entry(&self) -> (&str, &str) {
        self.entry_uuid.split_at_checked(16).unwrap_or_default()
    }
}

impl InclusionProof {
    fn read(fields: Fields<'_>) -> Result<Self, Malformed> {
        let hashes: Vec<Digest> = fields.exact_list("hashes")?;
        if hashes.len() > HASHES_MAX {
            return Err(Malformed::Member("hashes"));
        }
        Ok(Self {
            hashes,
            log_index: fields.whole("log_index")?,
            root_hash: fields.exact("root_hash")?,
            tree_size: fields.whole("tree_size")?,
            checkpoint: fields.maybe_text("checkpoint")?.map(str::to_owned),
        })
    }
}
