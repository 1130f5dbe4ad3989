//! Transparency log endpoints in the format of C2SP tlog-tiles. They are public.

use std::str::FromStr;

use axum::response::{IntoResponse, Response};
use governance::proof::{rekor, transparency_log};
use http::HeaderMap;
use receipt::transparency_log::{ParseTileError, Tile};

use super::conditional::{CACHE_IMMUTABLE, public_response};
use crate::{
    edge::{ApiResult, Path, RequestContext},
    endpoint::Content,
};

/// Read the latest checkpoint of the transparency log.
///
/// The checkpoint contains the number of entries, the root hash and a signature. It is a C2SP signed note.
/// Its first line is the origin of the log, under which the key of the log is listed.
#[get(
    "/v1/log/checkpoint", any_origin, tag = "verification",
    content = &[("text/plain", Content::Text)],
    200 = "A signed note",
    304,
    404 = "No checkpoint was signed yet",
)]
async fn checkpoint(context: RequestContext, headers: HeaderMap) -> ApiResult<Response> {
    let note = transparency_log::checkpoint(&context.governance).await?;
    Ok(public_response(&headers, note, "text/plain; charset=utf-8", "no-cache").into_response())
}

/// Read the latest checkpoint that was submitted to Rekor, with its proof.
///
/// Returns a `govern-rekor-proof/v1` object: the submitted `note`, the Rekor entry with its SHA-256 (`body`,
/// base64), the number of the entry in the tree of the instance (`log_index`), the `hashes` of its inclusion
/// proof, and the signed `checkpoint` of that tree.
#[get(
    "/v1/log/rekor", any_origin, tag = "verification",
    content = &[("application/json", Content::Any)],
    200 = "A proof",
    304,
    404 = "No checkpoint was submitted to Rekor yet",
)]
async fn rekor(context: RequestContext, headers: HeaderMap) -> ApiResult<Response> {
    let proof = rekor::latest_proof(&context.governance).await?;
    Ok(public_response(&headers, proof, "application/json", "no-cache").into_response())
}

/// A tile, parsed from the part of the path after `tile/`.
struct TilePath(Tile);

impl FromStr for TilePath {
    type Err = ParseTileError;

    fn from_str(path: &str) -> Result<Self, ParseTileError> {
        format!("tile/{path}").parse().map(Self)
    }
}

/// Read a tile of the transparency log: 256 hashes of one level, or 256 entries.
///
/// `<L>/<N>` contains the hashes `256 N` to `256 N + 255` of level `8 L`. `entries/<N>` contains the entries
/// with these numbers, each after its length in two bytes. `N` is written in groups of three digits, and all
/// groups but the last have the prefix `x`: `x001/234`. `.p/<W>` selects the first `W` elements of a tile
/// that is not full yet.
#[get(
    "/v1/log/tile/{*path}", any_origin, tag = "verification",
    content = &[("application/octet-stream", Content::Bytes)],
    200 = "32 bytes for each hash, or the entries",
    304,
    404 = "The log does not contain this tile yet",
)]
async fn tile(
    context: RequestContext,
    Path((TilePath(tile),)): Path<(TilePath,)>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let bytes = transparency_log::tile(&context.governance, tile).await?;
    let cache = if tile.is_full() { CACHE_IMMUTABLE } else { "no-cache" };
    Ok(public_response(&headers, bytes, "application/octet-stream", cache).into_response())
}
