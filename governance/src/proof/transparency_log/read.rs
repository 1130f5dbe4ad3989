//! The public read interface of the log, as specified by C2SP: the latest checkpoint, and tiles.

use entity::{
    log_checkpoint::{self as checkpoints, Column},
    log_entry, log_tree,
};
use receipt::transparency_log::{Tile, encode_entries};

use super::{Nodes, number};
use crate::base::prelude::*;

/// Returns the latest checkpoint of the newest tree, a signed note.
///
/// # Errors
/// `NOT_FOUND` if nothing was ever signed.
pub async fn checkpoint(governance: &Governance) -> Result<String> {
    governance.read(load_checkpoint).await
}

async fn load_checkpoint(governance: Governance) -> Result<String> {
    // Every tree starts with a checkpoint, so the newest tree has the latest one.
    let latest =
        untenanted::<checkpoints::Entity>().order_by_desc(Column::Tree).order_by_desc(Column::Size);
    let latest = latest.one(governance.database()).await?;
    Ok(latest.or_not_found(ResourceKind::Resource)?.note)
}

/// Returns the bytes of a tile of the newest tree.
///
/// # Errors
/// `NOT_FOUND` if the tree does not contain the tile yet.
pub async fn tile(governance: &Governance, tile: Tile) -> Result<Vec<u8>> {
    governance.read(|governance| load_tile(governance, tile)).await
}

async fn load_tile(governance: Governance, tile: Tile) -> Result<Vec<u8>> {
    let db = governance.database();
    let tile_not_found = || Error::from(not_found(ResourceKind::Resource));
    let newest = untenanted::<log_tree::Entity>().order_by_desc(log_tree::Column::Number);
    let newest = newest.one(db).await?.ok_or_else(tile_not_found)?;
    let (tree, size) = (newest.number, number(newest.size));
    let shift = 8 * u32::from(tile.level.unwrap_or(0));
    if tile.range().end > size >> shift {
        return Err(tile_not_found());
    }
    if tile.level.is_some() {
        let nodes = Nodes::read(db, tree, size, vec![tile]).await?;
        return nodes.tile(tile).map(<[u8]>::to_vec).ok_or_else(|| lost(tile));
    }
    let column = |number: u64| i64::try_from(number).map_err(|_| tile_not_found());
    let (since, until) = (column(tile.range().start)?, column(tile.range().end)?);
    let entries = untenanted::<log_entry::Entity>()
        .select_only()
        .column(log_entry::Column::Data)
        .filter(log_entry::Column::Tree.eq(tree))
        .filter(log_entry::Column::Index.gte(since))
        .filter(log_entry::Column::Index.lt(until))
        .order_by_asc(log_entry::Column::Index);
    let entries = entries.into_tuple::<String>().all(db).await?;
    if entries.len() != usize::from(tile.width) {
        return Err(lost(tile));
    }
    let bundle = encode_entries(entries.iter().map(String::as_bytes));
    bundle.map_err(Error::internal)
}

/// Returns the error for a missing part of the signed tree.
fn lost(tile: Tile) -> Error {
    Error::bug(format!("the log lacks a part of {tile}"))
}

/// The size of the log and its queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backlog {
    /// The number of entries of the newest tree.
    pub size: u64,
    /// The number of queued rows.
    pub pending: u64,
    /// The age of the oldest queued row in seconds; 0 if the queue is empty.
    pub oldest_seconds: f64,
}

// SQL: one statement reads size and queue consistently.
const SELECT_BACKLOG: &str = "SELECT coalesce((SELECT size FROM log_trees ORDER BY number DESC LIMIT 1), 0), \
     (SELECT count(*) FROM log_pending), \
     coalesce((SELECT extract(epoch FROM now() - due_since)::float8 FROM log_pending \
         ORDER BY id LIMIT 1), 0)";

/// Returns the size of the log and its queue.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn backlog(governance: &Governance) -> Result<Backlog> {
    let (size, pending, oldest_seconds) =
        sql::only(governance.database(), SELECT_BACKLOG, []).await?;
    Ok(Backlog { size: number(size), pending: number(pending), oldest_seconds })
}
