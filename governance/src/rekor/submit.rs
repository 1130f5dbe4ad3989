//! Puts an entry on record, and finds it again when it is there already.

use std::{collections::BTreeMap, fmt::Debug};

use receipt::{
    digest::Digest,
    log::{Checkpoint, Needed, Note, Tile, TileNodes, decode_entries},
    merkle,
};

use super::{Broken, Dialect, Entry, LogKey, Proof};

/// How many bytes of an answer are read: an entry tile holds at most 256 entries of 64 KiB, in
/// practice of about 1 KiB each.
pub const ANSWER_BYTES_MAX: usize = 4 << 20;

/// A call to the instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path below the address of the instance, with a slash at its head.
    pub path: String,
    /// What is posted, as JSON; without it the call is a `GET`.
    pub body: Option<String>,
}

/// What the instance answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The header `Location`.
    pub location: Option<String>,
    /// The header `x-log-index`.
    pub log_index: Option<String>,
    /// The body, at most [`ANSWER_BYTES_MAX`] bytes.
    pub body: Vec<u8>,
}

/// Carries calls to one instance.
#[async_trait::async_trait]
pub trait Courier: Debug + Send + Sync {
    /// Makes one call.
    ///
    /// # Errors
    /// Why there is no answer, in words that may be kept.
    async fn carry(&self, request: Request) -> Result<Answer, String>;
}

/// Why an entry is not on record yet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// There was no answer.
    #[error("{0}")]
    Unreachable(String),
    /// The instance would not, or could not now.
    #[error("Rekor answered with status {0}")]
    Status(u16),
    /// What it answered proves nothing.
    #[error("{0}")]
    Broken(#[from] Broken),
}

/// Puts `entry` on record, and returns the checked proof of it.
///
/// # Errors
/// Why it is not. The same entry may be sent again at any time: it is one entry.
pub async fn submit(
    courier: &dyn Courier,
    entry: &Entry,
    log: Option<&LogKey>,
) -> Result<Proof, Failure> {
    let dialect = entry.dialect();
    let path = format!("/api/{}/log/entries", dialect.as_str());
    let answer = carry(courier, Request { path, body: Some(entry.request()) }).await?;
    let proof = match (answer.status, dialect) {
        (200 | 201, _) => Proof::read(dialect, &answer.body)?,
        (409, Dialect::V1) => by_name(courier, &answer).await?,
        (409, Dialect::V2) => from_tiles(courier, &answer).await?,
        (status, _) => return Err(Failure::Status(status)),
    };
    proof.check(entry, log)?;
    Ok(proof)
}

async fn carry(courier: &dyn Courier, request: Request) -> Result<Answer, Failure> {
    courier.carry(request).await.map_err(Failure::Unreachable)
}

async fn get(courier: &dyn Courier, path: String) -> Result<Vec<u8>, Failure> {
    let answer = carry(courier, Request { path, body: None }).await?;
    if answer.status == 200 { Ok(answer.body) } else { Err(Failure::Status(answer.status)) }
}

/// The entry that Rekor 1 says is there already. Only its name is taken from `Location`, so that the
/// answer cannot send us anywhere else.
async fn by_name(courier: &dyn Courier, answer: &Answer) -> Result<Proof, Failure> {
    let location = answer.location.as_deref().unwrap_or_default();
    let name = location.rsplit('/').next().unwrap_or_default();
    // A leaf hash, or the number of a tree and a leaf hash, in hex.
    if !matches!(name.len(), 64 | 80) || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Broken::Malformed.into());
    }
    let found = get(courier, format!("/api/v1/log/entries/{name}")).await?;
    Ok(Proof::read(Dialect::V1, &found)?)
}

/// The entry that Rekor 2 says is there already, with a proof made from the tiles of its tree.
async fn from_tiles(courier: &dyn Courier, answer: &Answer) -> Result<Proof, Failure> {
    let index = index_of(answer).ok_or(Broken::Malformed)?;
    let note = get(courier, "/api/v2/checkpoint".to_owned()).await?;
    let note = String::from_utf8(note).map_err(|_| Broken::Malformed)?;
    let size = tree_size(&note).filter(|size| index < *size).ok_or(Broken::NotIncluded)?;
    let entries = get(courier, format!("/api/v2/{}", entry_tile(index, size))).await?;
    let place = usize::try_from(index % 256).map_err(|_| Broken::Malformed)?;
    let body = decode_entries(&entries).map_err(|_| Broken::Malformed)?;
    let body = (*body.get(place).ok_or(Broken::NotIncluded)?).to_vec();
    let hashes = path_of(courier, index, size).await?;
    Ok(Proof {
        dialect: Dialect::V2,
        body,
        index,
        hashes,
        checkpoint: note,
        uuid: None,
        integrated_at: None,
    })
}

/// The number of the entry: from its header, or from the sentence of instances that do not send it.
fn index_of(answer: &Answer) -> Option<u64> {
    if let Some(index) = &answer.log_index {
        return index.parse().ok();
    }
    let body: serde_json::Value = serde_json::from_slice(&answer.body).ok()?;
    body.get("message")?.as_str()?.rsplit(' ').next()?.parse().ok()
}

fn tree_size(note: &str) -> Option<u64> {
    Some(Checkpoint::read(Note::read(note).ok()?.text).ok()?.size)
}

fn entry_tile(index: u64, size: u64) -> Tile {
    let tile = index / 256;
    let width = size.saturating_sub(tile.saturating_mul(256)).min(256);
    Tile { level: None, index: tile, width: u16::try_from(width).unwrap_or(256) }
}

/// The inclusion proof, from the tiles that it is made of.
async fn path_of(courier: &dyn Courier, index: u64, size: u64) -> Result<Vec<Digest>, Failure> {
    let mut tiles: BTreeMap<Tile, Vec<u8>> = BTreeMap::new();
    for tile in Needed::by(size, |nodes| merkle::inclusion(nodes, index, size)) {
        tiles.insert(tile, get(courier, format!("/api/v2/{tile}")).await?);
    }
    let nodes = TileNodes { size, read: |tile| tiles.get(&tile).cloned() };
    merkle::inclusion(&nodes, index, size).map_err(|_| Broken::NotIncluded.into())
}
