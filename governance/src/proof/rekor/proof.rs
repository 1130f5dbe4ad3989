//! The response of Rekor: the stored entry, its inclusion proof and the checkpoint of the tree.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use receipt::{
    merkle,
    transparency_log::{Checkpoint, Note},
};

use super::{Dialect, Entry, LogKey};
use crate::base::prelude::*;

/// A submitted entry with its inclusion proof. Not trusted before [`Proof::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub dialect: Dialect,
    /// The entry as stored by the log.
    pub body: Vec<u8>,
    /// The index of the entry in the tree of the proof.
    pub index: u64,
    /// The hashes of the proof, lowest first.
    pub hashes: Vec<Digest>,
    /// The signed checkpoint of the tree.
    pub checkpoint: String,
    /// The UUID of the entry; `None` for Rekor 2, which has none.
    pub uuid: Option<String>,
    /// The time of inclusion as reported by the log, in Unix seconds; `None` for Rekor 2, which does not
    /// report it.
    pub integrated_at: Option<u64>,
}

/// The reason a response proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    #[error("the response does not match the dialect")]
    Malformed,
    #[error("the response is about another entry")]
    OtherEntry,
    #[error("the proof does not show that the entry is in the tree of the checkpoint")]
    NotIncluded,
    #[error("the checkpoint is not signed by the log's key")]
    NotSigned,
}

/// A `LogEntry` of Rekor 1: entries by ID, here exactly one.
type V1 = BTreeMap<String, V1Entry>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct V1Entry {
    body: String,
    integrated_time: u64,
    verification: V1Verification,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct V1Verification {
    inclusion_proof: V1Inclusion,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct V1Inclusion {
    checkpoint: String,
    hashes: Vec<String>,
    log_index: u64,
}

/// A `TransparencyLogEntry` of Rekor 2 in protobuf's JSON form: numbers are strings.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct V2 {
    inclusion_proof: V2Inclusion,
    canonicalized_body: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct V2Inclusion {
    log_index: String,
    hashes: Vec<String>,
    checkpoint: V2Checkpoint,
}

#[derive(Deserialize)]
struct V2Checkpoint {
    envelope: String,
}

/// A proof as it is stored and added to bundles.
#[derive(Serialize)]
struct StoredProof<'a> {
    schema: &'static str,
    note: &'a str,
    dialect: &'static str,
    body: String,
    log_index: u64,
    hashes: Vec<String>,
    checkpoint: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    uuid: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    integrated_at: Option<u64>,
}

impl Proof {
    /// Parses the response of an instance with this dialect.
    ///
    /// # Errors
    /// [`ProofError::Malformed`].
    pub fn read(dialect: Dialect, response: &[u8]) -> Result<Self, ProofError> {
        let proof = match dialect {
            Dialect::V1 => Self::read_v1(response),
            Dialect::V2 => Self::read_v2(response),
        };
        proof.ok_or(ProofError::Malformed)
    }

    fn read_v1(response: &[u8]) -> Option<Self> {
        let entries: V1 = serde_json::from_slice(response).ok()?;
        let mut entries = entries.into_iter();
        let (Some((uuid, entry)), None) = (entries.next(), entries.next()) else { return None };
        let proof = entry.verification.inclusion_proof;
        Some(Self {
            dialect: Dialect::V1,
            body: STANDARD.decode(entry.body).ok()?,
            index: proof.log_index,
            hashes: proof.hashes.iter().map(|hash| hash.parse().ok()).collect::<Option<_>>()?,
            checkpoint: proof.checkpoint,
            uuid: Some(uuid),
            integrated_at: Some(entry.integrated_time),
        })
    }

    fn read_v2(response: &[u8]) -> Option<Self> {
        let entry: V2 = serde_json::from_slice(response).ok()?;
        let proof = entry.inclusion_proof;
        Some(Self {
            dialect: Dialect::V2,
            body: STANDARD.decode(entry.canonicalized_body).ok()?,
            index: proof.log_index.parse().ok()?,
            hashes: proof.hashes.iter().map(|hash| digest(hash)).collect::<Option<_>>()?,
            checkpoint: proof.checkpoint.envelope,
            uuid: None,
            integrated_at: None,
        })
    }

    /// Checks that `entry` is in the tree whose checkpoint `log` signed. Without `log`, the checkpoint is
    /// not authenticated, and the proof only shows that the response is consistent with itself.
    ///
    /// # Errors
    /// The reason the response proves nothing.
    pub fn check(&self, entry: &Entry, log: Option<&LogKey>) -> Result<(), ProofError> {
        if !entry.matches(&self.body) {
            return Err(ProofError::OtherEntry);
        }
        self.check_inclusion(log)
    }

    /// Checks that the body is in the tree of the checkpoint, regardless of its content.
    ///
    /// # Errors
    /// [`ProofError::NotIncluded`], [`ProofError::NotSigned`].
    pub fn check_inclusion(&self, log: Option<&LogKey>) -> Result<(), ProofError> {
        let note = Note::read(&self.checkpoint).map_err(|_| ProofError::NotIncluded)?;
        if log.is_some_and(|log| !log.has_signed(&note)) {
            return Err(ProofError::NotSigned);
        }
        let tree = Checkpoint::read(note.text).map_err(|_| ProofError::NotIncluded)?;
        let leaf = merkle::leaf_hash(&self.body);
        merkle::verify_inclusion(leaf, self.index, tree.size, &self.hashes, tree.root)
            .map_err(|_| ProofError::NotIncluded)
    }

    /// Returns the stored form of the proof: one object, `govern-rekor-proof/v1`, with the `note` whose
    /// digest the entry contains.
    pub fn to_stored(&self, note: &str) -> String {
        let stored = StoredProof {
            schema: "govern-rekor-proof/v1",
            note,
            dialect: self.dialect.as_str(),
            body: STANDARD.encode(&self.body),
            log_index: self.index,
            hashes: self.hashes.iter().map(ToString::to_string).collect(),
            checkpoint: &self.checkpoint,
            uuid: self.uuid.as_deref(),
            integrated_at: self.integrated_at,
        };
        serde_json::to_string(&stored).unwrap_or_default()
    }
}

fn digest(base64: &str) -> Option<Digest> {
    Some(<[u8; 32]>::try_from(STANDARD.decode(base64).ok()?).ok()?.into())
}
