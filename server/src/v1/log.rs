//! Transparency log endpoints in the format of C2SP tlog-tiles. They are public.

use std::str::FromStr;

use axum::response::{IntoResponse, Response};
use contract::error::ErrorBody;
use governance::proof::{rekor, transparency_log};
use http::HeaderMap;
use receipt::transparency_log::{ParseTileError, Tile};

use super::conditional::{CACHE_IMMUTABLE, NotModified, public_response};
use crate::edge::{
    error::ApiResult,
    extract::{Path, RequestContext},
    query::NoQuery,
};

/// Read the latest checkpoint of the transparency log.
///
/// The checkpoint contains the number of entries, the root hash and a signature. It is a C2SP signed note.
/// Its first line is the origin of the log, under which the key of the log is listed.
#[utoipa::path(
    get, path = "/v1/log/checkpoint", tag = "verification", security(()),
    responses(
        (status = 200, description = "A signed note", body = String, content_type = "text/plain"),
        NotModified,
        (status = 404, description = "No checkpoint was signed yet", body = ErrorBody),
    )
)]
pub async fn checkpoint(
    context: RequestContext,
    _: NoQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let note = transparency_log::checkpoint(&context.governance).await?;
    Ok(public_response(&headers, note, "text/plain; charset=utf-8", "no-cache").into_response())
}

/// Read the latest checkpoint that was submitted to Rekor, with its proof.
///
/// Returns a `govern-rekor-proof/v1` object: the submitted `note`, the Rekor entry with its SHA-256 (`body`,
/// base64), the number of the entry in the tree of the instance (`log_index`), the `hashes` of its inclusion
/// proof, and the signed `checkpoint` of that tree.
#[utoipa::path(
    get, path = "/v1/log/rekor", tag = "verification", security(()),
    responses(
        (status = 200, description = "A proof", content_type = "application/json"),
        NotModified,
        (status = 404, description = "No checkpoint was submitted to Rekor yet", body = ErrorBody),
    )
)]
pub async fn rekor(context: RequestContext, _: NoQuery, headers: HeaderMap) -> ApiResult<Response> {
    let proof = rekor::latest_proof(&context.governance).await?;
    Ok(public_response(&headers, proof, "application/json", "no-cache").into_response())
}

/// A tile, parsed from the part of the path after `tile/`.
#[derive(Debug)]
pub struct TilePath(Tile);

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
#[utoipa::path(
    get, path = "/v1/log/tile/{*path}", tag = "verification", security(()),
    params(("path" = String, Path, description = "`<L>/<N>[.p/<W>]` or `entries/<N>[.p/<W>]`")),
    responses(
        (
            status = 200, description = "32 bytes for each hash, or the entries",
            body = [u8], content_type = "application/octet-stream",
        ),
        NotModified,
        (status = 404, description = "The log does not contain this tile yet", body = ErrorBody),
    )
)]
pub async fn tile(
    context: RequestContext,
    Path((TilePath(tile),)): Path<(TilePath,)>,
    _: NoQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let bytes = transparency_log::tile(&context.governance, tile).await?;
    let cache = if tile.is_full() { CACHE_IMMUTABLE } else { "no-cache" };
    Ok(public_response(&headers, bytes, "application/octet-stream", cache).into_response())
}
