//! What anyone may read of the log, as C2SP lays it down: the last checkpoint, and tiles.

use receipt::log::{Tile, encode_entries};
use sea_orm::ConnectionTrait;

use super::nodes::{Nodes, number};
use crate::{
    Governance,
    error::{Error, Noun, Result, not_found},
    tenancy::statement,
};

const CHECKPOINT: &str = "SELECT note FROM log_checkpoints \
     WHERE tree = (SELECT max(number) FROM log_trees) ORDER BY size DESC LIMIT 1";

/// The last checkpoint of the newest tree: a signed note.
///
/// # Errors
/// `NOT_FOUND` where nothing was ever signed.
pub async fn checkpoint(governance: &Governance) -> Result<String> {
    let row = governance.database().query_one_raw(statement(CHECKPOINT, [])).await?;
    let row = row.ok_or_else(|| not_found(Noun::Thing))?;
    Ok(row.try_get_by_index(0)?)
}

const NEWEST: &str = "SELECT number, size FROM log_trees ORDER BY number DESC LIMIT 1";

const ENTRIES: &str = "SELECT data FROM log_entries \
     WHERE tree = $1 AND index >= $2 AND index < $3 ORDER BY index";

/// The bytes of a tile of the newest tree.
///
/// # Errors
/// `NOT_FOUND` when the tree has not grown that far.
pub async fn tile(governance: &Governance, tile: Tile) -> Result<Vec<u8>> {
    let db = governance.database();
    let beyond = || Error::from(not_found(Noun::Thing));
    let newest = db.query_one_raw(statement(NEWEST, [])).await?.ok_or_else(beyond)?;
    let (tree, size): (i16, i64) = (newest.try_get_by_index(0)?, newest.try_get_by_index(1)?);
    let size = number(size);
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
    let values = [tree.into(), since.into(), until.into()];
    let rows = db.query_all_raw(statement(ENTRIES, values)).await?;
    let entries =
        rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<String>>>()?;
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
