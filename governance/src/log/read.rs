//! What anyone may read of the log, as C2SP lays it down: the last checkpoint, and tiles.

use entity::{
    log_checkpoint::{self as checkpoints, Column},
    log_entry, log_tree,
};
use receipt::log::{Tile, encode_entries};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};

use super::nodes::{Nodes, number};
use crate::{
    Governance,
    database::untenanted,
    error::{Error, Noun, Result, not_found},
    tenancy::statement,
};

/// The last checkpoint of the newest tree: a signed note.
///
/// # Errors
/// `NOT_FOUND` where nothing was ever signed.
pub async fn checkpoint(governance: &Governance) -> Result<String> {
    // A tree begins with a checkpoint, so the newest tree has the last one.
    let last =
        untenanted::<checkpoints::Entity>().order_by_desc(Column::Tree).order_by_desc(Column::Size);
    let last = last.one(governance.database()).await?;
    Ok(last.ok_or_else(|| not_found(Noun::Thing))?.note)
}

/// The bytes of a tile of the newest tree.
///
/// # Errors
/// `NOT_FOUND` when the tree has not grown that far.
pub async fn tile(governance: &Governance, tile: Tile) -> Result<Vec<u8>> {
    let db = governance.database();
    let beyond = || Error::from(not_found(Noun::Thing));
    let newest = untenanted::<log_tree::Entity>().order_by_desc(log_tree::Column::Number);
    let newest = newest.one(db).await?.ok_or_else(beyond)?;
    let (tree, size) = (newest.number, number(newest.size));
    let shift = 8 * u32::from(tile.level.unwrap_or(0));
    if tile.range().end > size >> shift {
        return Err(beyond());
    }
    if tile.level.is_some() {
        let nodes = Nodes::read(db, tree, size, vec![tile]).await?;
        return nodes.tile(tile).map(<[u8]>::to_vec).ok_or_else(|| lost(tile));
    }
    let column = |number: u64| i64::try_from(number).map_err(|_| beyond());
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
    bundle.map_err(|error| Error::Bug(error.into()))
}

/// Of what was signed nothing may be missing.
fn lost(tile: Tile) -> Error {
    Error::bug(format!("the log has lost a part of {tile}"))
}

/// How far the log is, and what waits for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backlog {
    /// How many entries the newest tree has.
    pub size: u64,
    /// How many rows wait.
    pub pending: u64,
    /// For how many seconds the first of them has waited; 0 when none does.
    pub oldest_seconds: f64,
}

// SQL: one statement reads size and backlog at one moment.
const BACKLOG: &str = "SELECT coalesce((SELECT size FROM log_trees ORDER BY number DESC LIMIT 1), 0), \
     (SELECT count(*) FROM log_pending), \
     coalesce((SELECT extract(epoch FROM now() - due_since)::float8 FROM log_pending \
         ORDER BY id LIMIT 1), 0)";

/// How far the log is.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn backlog(governance: &Governance) -> Result<Backlog> {
    let row = governance.database().query_one_raw(statement(BACKLOG, [])).await?;
    let row = row.ok_or_else(|| Error::bug("a query without a row"))?;
    Ok(Backlog {
        size: number(row.try_get_by_index(0)?),
        pending: number(row.try_get_by_index(1)?),
        oldest_seconds: row.try_get_by_index(2)?,
    })
}
