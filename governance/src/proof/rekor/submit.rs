//! Submits an entry, or fetches it if it was submitted before.

use std::fmt::Debug;

use receipt::{
    merkle,
    transparency_log::{Checkpoint, Note, RequiredTiles, Tile, TileNodes, decode_entries},
};

use super::{Dialect, Entry, LogKey, Proof, ProofError};
use crate::base::prelude::*;

/// The maximum size of a response: an entry tile contains at most 256 entries of 64 KiB, in practice of
/// about 1 KiB each.
pub const RESPONSE_BYTES_MAX: usize = 4 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path relative to the URL of the instance, with a leading slash.
    pub path: String,
    /// The JSON body of a `POST` request; `None` for a `GET` request.
    pub body: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RekorResponse {
    pub status: u16,
    /// The header `Location`.
    pub location: Option<String>,
    /// The header `x-log-index`.
    pub log_index: Option<String>,
    /// The body, at most [`RESPONSE_BYTES_MAX`] bytes.
    pub body: Vec<u8>,
}

/// A transport that sends requests to one instance.
#[async_trait::async_trait]
pub trait RekorTransport: Debug + Send + Sync {
    /// Sends one request.
    ///
    /// # Errors
    /// The reason there is no response, as text that may be stored.
    async fn send(&self, request: Request) -> Result<RekorResponse, String>;
}

/// The reason an entry was not submitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmissionError {
    /// There was no response.
    #[error("{0}")]
    Unreachable(String),
    #[error("Rekor returned the status {0}")]
    Status(u16),
    /// The response proves nothing.
    #[error("{0}")]
    Broken(#[from] ProofError),
}

/// Submits `entry` and returns its checked proof.
///
/// # Errors
/// The reason the submission failed. Submitting the same entry again is safe.
pub async fn submit(
    transport: &dyn RekorTransport,
    entry: &Entry,
    log: Option<&LogKey>,
) -> Result<Proof, SubmissionError> {
    let dialect = entry.dialect();
    let path = format!("/api/{}/log/entries", dialect.as_str());
    let response = send(transport, Request { path, body: Some(entry.request()) }).await?;
    let proof = match (response.status, dialect) {
        (200 | 201, _) => Proof::read(dialect, &response.body)?,
        (409, Dialect::V1) => fetch_by_location(transport, &response).await?,
        (409, Dialect::V2) => fetch_by_tiles(transport, &response).await?,
        (status, _) => return Err(SubmissionError::Status(status)),
    };
    proof.check(entry, log)?;
    Ok(proof)
}

async fn send(
    transport: &dyn RekorTransport,
    request: Request,
) -> Result<RekorResponse, SubmissionError> {
    transport.send(request).await.map_err(SubmissionError::Unreachable)
}

async fn get(transport: &dyn RekorTransport, path: String) -> Result<Vec<u8>, SubmissionError> {
    let response = send(transport, Request { path, body: None }).await?;
    if response.status == 200 {
        Ok(response.body)
    } else {
        Err(SubmissionError::Status(response.status))
    }
}

/// Fetches an entry that Rekor 1 reports as existing. Uses only the entry ID of `Location`, so that the
/// response cannot redirect the service.
async fn fetch_by_location(
    transport: &dyn RekorTransport,
    response: &RekorResponse,
) -> Result<Proof, SubmissionError> {
    let location = response.location.as_deref().unwrap_or_default();
    let id = location.rsplit('/').next().unwrap_or_default();
    // A leaf hash, or a tree ID followed by a leaf hash, in hex.
    if !matches!(id.len(), 64 | 80) || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(ProofError::Malformed.into());
    }
    let body = get(transport, format!("/api/v1/log/entries/{id}")).await?;
    Ok(Proof::read(Dialect::V1, &body)?)
}

/// Fetches an entry that Rekor 2 reports as existing, and builds its proof from the tiles of the tree.
async fn fetch_by_tiles(
    transport: &dyn RekorTransport,
    response: &RekorResponse,
) -> Result<Proof, SubmissionError> {
    let index = index_of(response).ok_or(ProofError::Malformed)?;
    let note = get(transport, "/api/v2/checkpoint".to_owned()).await?;
    let note = String::from_utf8(note).map_err(|_| ProofError::Malformed)?;
    let size = tree_size(&note).filter(|size| index < *size).ok_or(ProofError::NotIncluded)?;
    let entries = get(transport, format!("/api/v2/{}", entry_tile(index, size))).await?;
    let offset = usize::try_from(index % 256).map_err(|_| ProofError::Malformed)?;
    let body = decode_entries(&entries).map_err(|_| ProofError::Malformed)?;
    let body = (*body.get(offset).ok_or(ProofError::NotIncluded)?).to_vec();
    let hashes = path_of(transport, index, size).await?;
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

/// Returns the index of the entry: from the header, or from the message of instances that do not send it.
fn index_of(response: &RekorResponse) -> Option<u64> {
    if let Some(index) = &response.log_index {
        return index.parse().ok();
    }
    let conflict: Conflict = serde_json::from_slice(&response.body).ok()?;
    conflict.message.rsplit(' ').next()?.parse().ok()
}

/// The answer to an entry that the log has already. Its other members may have any shape.
#[derive(Deserialize)]
struct Conflict {
    message: String,
}

fn tree_size(note: &str) -> Option<u64> {
    Some(Checkpoint::read(Note::read(note).ok()?.text).ok()?.size)
}

fn entry_tile(index: u64, size: u64) -> Tile {
    let tile = index / 256;
    let width = size.saturating_sub(tile.saturating_mul(256)).min(256);
    Tile { level: None, index: tile, width: u16::try_from(width).unwrap_or(256) }
}

/// Returns the inclusion proof from the tiles it requires.
async fn path_of(
    transport: &dyn RekorTransport,
    index: u64,
    size: u64,
) -> Result<Vec<Digest>, SubmissionError> {
    let mut tiles: BTreeMap<Tile, Vec<u8>> = BTreeMap::new();
    for tile in RequiredTiles::record(size, |nodes| merkle::inclusion(nodes, index, size)) {
        tiles.insert(tile, get(transport, format!("/api/v2/{tile}")).await?);
    }
    let nodes = TileNodes { size, read: |tile| tiles.get(&tile).cloned() };
    merkle::inclusion(&nodes, index, size).map_err(|_| ProofError::NotIncluded.into())
}
