//! What Rekor answers: the entry as it keeps it, its place in a tree, and the checkpoint of that tree.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use receipt::{
    digest::Digest,
    log::{Checkpoint, Note},
    merkle,
};
use serde::{Deserialize, Serialize};

use super::{Dialect, Entry, LogKey};

/// An entry on record. Nothing about it is believed before [`Proof::check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The dialect in which it was asked for.
    pub dialect: Dialect,
    /// The entry as the log keeps it.
    pub body: Vec<u8>,
    /// Its number in the tree of the proof.
    pub index: u64,
    /// Lowest hash first.
    pub hashes: Vec<Digest>,
    /// The signed checkpoint of the tree.
    pub checkpoint: String,
    /// What the log calls the entry; Rekor 2 has no such names.
    pub uuid: Option<String>,
    /// When the log says that it took the entry in, in Unix seconds; Rekor 2 does not say.
    pub integrated_at: Option<u64>,
}

/// Why an answer proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// It is not what this dialect answers.
    #[error("the answer is not one of this dialect")]
    Malformed,
    /// It is about something else.
    #[error("the answer is about another entry")]
    OtherEntry,
    /// The entry is not shown to be in the tree.
    #[error("the entry is not shown to be in the tree of the checkpoint")]
    NotIncluded,
    /// The log's key did not sign the checkpoint.
    #[error("the checkpoint is not signed by the log's key")]
    NotSigned,
}

/// A `LogEntry` of Rekor 1: entries by id, here one.
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

/// A `TransparencyLogEntry` of Rekor 2 as protobuf writes it in JSON: numbers are texts.
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

/// What is kept of a proof, and put into bundles.
#[derive(Serialize)]
struct Kept<'a> {
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
    /// Reads the answer of an instance that speaks `dialect`.
    ///
    /// # Errors
    /// [`Broken::Malformed`].
    pub fn read(dialect: Dialect, answer: &[u8]) -> Result<Self, Broken> {
        let read = match dialect {
            Dialect::V1 => Self::read_v1(answer),
            Dialect::V2 => Self::read_v2(answer),
        };
        read.ok_or(Broken::Malformed)
    }

    fn read_v1(answer: &[u8]) -> Option<Self> {
        let entries: V1 = serde_json::from_slice(answer).ok()?;
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

    fn read_v2(answer: &[u8]) -> Option<Self> {
        let entry: V2 = serde_json::from_slice(answer).ok()?;
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

    /// Checks that `entry` stands in the tree whose checkpoint `log` signed. Without `log` nobody
    /// vouches for the checkpoint, and the proof shows only that the answer agrees with itself.
    ///
    /// # Errors
    /// Why it proves nothing.
    pub fn check(&self, entry: &Entry, log: Option<&LogKey>) -> Result<(), Broken> {
        if !entry.is(&self.body) {
            return Err(Broken::OtherEntry);
        }
        self.included(log)
    }

    /// Checks that the body stands in the tree of the checkpoint, whatever it says.
    ///
    /// # Errors
    /// [`Broken::NotIncluded`], [`Broken::NotSigned`].
    pub fn included(&self, log: Option<&LogKey>) -> Result<(), Broken> {
        let note = Note::read(&self.checkpoint).map_err(|_| Broken::NotIncluded)?;
        if log.is_some_and(|log| !log.signed(&note)) {
            return Err(Broken::NotSigned);
        }
        let tree = Checkpoint::read(note.text).map_err(|_| Broken::NotIncluded)?;
        let leaf = merkle::leaf_hash(&self.body);
        merkle::verify_inclusion(leaf, self.index, tree.size, &self.hashes, tree.root)
            .map_err(|_| Broken::NotIncluded)
    }

    /// The proof as it is kept: one object, `govern-rekor-proof/v1`, with the `note` that the entry holds
    /// the digest of.
    pub fn kept(&self, note: &str) -> String {
        let kept = Kept {
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
        serde_json::to_string(&kept).unwrap_or_default()
    }
}

fn digest(base64: &str) -> Option<Digest> {
    Some(<[u8; 32]>::try_from(STANDARD.decode(base64).ok()?).ok()?.into())
}
