//! The transparency log, as C2SP tlog-tiles lays it down: anyone may read all of it.

use std::{str::FromStr, time::Duration};

use axum::response::{IntoResponse, Response};
use contract::error::ErrorBody;
use governance::{Cx, log, rekor};
use http::HeaderMap;
use receipt::log::{NotATile, Tile};

use super::public::{FOR_EVER, public};
use crate::edge::{
    error::Reply,
    extract::{Caller, Path, Query, Standing},
};

/// The last checkpoint: how many entries the log has, the root over them, and its signature.
///
/// A C2SP signed note. Its first line is the origin of the log, under which the key of the log is listed.
#[utoipa::path(
    get, path = "/v1/log/checkpoint", tag = "verification", security(()),
    responses(
        (status = 200, description = "A signed note", body = String, content_type = "text/plain"),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, description = "Nothing was ever signed", body = ErrorBody),
    )
)]
pub async fn checkpoint(caller: Caller, query: Query, headers: HeaderMap) -> Reply<Response> {
    query.finish()?;
    let note = log::checkpoint(&caller.governance).await?;
    Ok(public(&headers, note, "text/plain; charset=utf-8", "no-cache").into_response())
}

/// The last checkpoint that is on record at Rekor, with the proof of it.
///
/// One object, `govern-rekor-proof/v1`: the `note` that was put on record, the entry that holds its SHA-256
/// (`body`, base64), the number of the entry in the tree of the instance (`log_index`), the `hashes` that lead
/// to its root, and the signed `checkpoint` of that tree.
#[utoipa::path(
    get, path = "/v1/log/rekor", tag = "verification", security(()),
    responses(
        (status = 200, description = "A proof", content_type = "application/json"),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, description = "Nothing is on record elsewhere", body = ErrorBody),
    )
)]
pub async fn rekor(caller: Caller, query: Query, headers: HeaderMap) -> Reply<Response> {
    query.finish()?;
    let proof = rekor::last(&caller.governance).await?;
    Ok(public(&headers, proof, "application/json", "no-cache").into_response())
}

/// A tile by what stands behind `tile/` in its path.
#[derive(Debug)]
pub struct TilePath(Tile);

impl FromStr for TilePath {
    type Err = NotATile;

    fn from_str(path: &str) -> Result<Self, NotATile> {
        format!("tile/{path}").parse().map(Self)
    }
}

/// A tile: 256 hashes of one level, or 256 entries.
///
/// `<L>/<N>` holds the hashes `256 N` to `256 N + 255` of level `8 L`, `entries/<N>` the entries of these
/// numbers, each with its length in two bytes before it. `N` is written in groups of three digits, all but
/// the last with an `x` before them: `x001/234`. Of a tile that is not full yet, `.p/<W>` names the first
/// `W`.
#[utoipa::path(
    get, path = "/v1/log/tile/{*path}", tag = "verification", security(()),
    params(("path" = String, Path, description = "`<L>/<N>[.p/<W>]` or `entries/<N>[.p/<W>]`")),
    responses(
        (
            status = 200, description = "32 bytes for each hash, or the entries",
            body = [u8], content_type = "application/octet-stream",
        ),
        (status = 304, description = "Unchanged since the ETag that was sent"),
        (status = 404, description = "The log has not grown that far", body = ErrorBody),
    )
)]
pub async fn tile(
    caller: Caller,
    Path((TilePath(tile),)): Path<(TilePath,)>,
    query: Query,
    headers: HeaderMap,
) -> Reply<Response> {
    query.finish()?;
    let bytes = log::tile(&caller.governance, tile).await?;
    let cache = if tile.is_full() { FOR_EVER } else { "no-cache" };
    Ok(public(&headers, bytes, "application/octet-stream", cache).into_response())
}

/// What a reader may wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchored;

impl FromStr for Anchored {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "anchor" { Ok(Self) } else { Err(()) }
    }
}

/// `wait_for` of a query.
pub(super) fn wait_for(query: &mut Query) -> Option<Anchored> {
    query.parsed("wait_for", "`anchor`")
}

/// For how long a reader waits at most (contract, section 5).
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is looked, should another process have logged it.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Reads, and where somebody asks to wait reads again until what was read is anchored. Meanwhile the
/// request gives up its place among those who use the store.
pub(super) async fn patiently<T, F: Future<Output = governance::Result<T>> + Send>(
    cx: &Cx,
    wait: Option<Anchored>,
    standing: &Standing,
    read: impl Fn() -> F + Send + Sync,
    is_anchored: impl Fn(&T) -> bool + Send + Sync,
) -> Reply<T> {
    let first = read().await?;
    if wait.is_none() || is_anchored(&first) || !cx.has_log() {
        return Ok(first);
    }
    standing.leave();
    let anchored = tokio::time::timeout(PATIENCE, async {
        loop {
            cx.log_grown(LOOK_EVERY).await;
            match read().await {
                Ok(again) if !is_anchored(&again) => {}
                done => return done,
            }
        }
    });
    let anchored = anchored.await;
    standing.enter()?;
    Ok(anchored.unwrap_or(Ok(first))?)
}
