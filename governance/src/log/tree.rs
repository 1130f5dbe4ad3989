//! The rows of trees: which one is open, who writes it, and how it began.

use contract::time::Timestamp;
use entity::log_tree::{self as table, Column};
use receipt::{
    digest::Digest,
    log::{Checkpoint, tree_id},
    merkle::empty_root,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QueryResult,
    QuerySelect, QueryTrait,
};
use uuid::Uuid;

use super::{key::TreeKey, nodes::number};
use crate::{
    database::{untenanted, update_untenanted},
    error::{Error, Result},
    tenancy::{instant, statement},
};

/// The tree that is open.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) number: i16,
    pub(super) origin: String,
    pub(super) vkey: String,
    pub(super) size: u64,
    pub(super) root: Digest,
    pub(super) is_doubted: bool,
    /// Whether somebody has begun a batch.
    pub(super) is_planned: bool,
    /// Whether something waits to be logged.
    pub(super) is_due: bool,
}

// SQL: read at every turn of the sequencer.
const OPEN: &str = "SELECT number, origin, vkey, size, root, is_doubted, planned IS NOT NULL, \
     EXISTS (SELECT FROM log_pending) FROM log_trees WHERE frozen_at IS NULL";

impl Tree {
    /// The tree that is open, if one is.
    pub(super) async fn open(db: &impl ConnectionTrait) -> Result<Option<Self>> {
        let row = db.query_one_raw(statement(OPEN, [])).await?;
        row.as_ref().map(Self::read).transpose()
    }

    fn read(row: &QueryResult) -> Result<Self> {
        Ok(Self {
            number: row.try_get_by_index(0)?,
            origin: row.try_get_by_index(1)?,
            vkey: row.try_get_by_index(2)?,
            size: number(row.try_get_by_index(3)?),
            root: root(row, 4)?,
            is_doubted: row.try_get_by_index(5)?,
            is_planned: row.try_get_by_index(6)?,
            is_due: row.try_get_by_index(7)?,
        })
    }
}

fn root(row: &QueryResult, place: usize) -> Result<Digest> {
    let root: String = row.try_get_by_index(place)?;
    root.parse().map_err(|_| Error::bug("the root of a tree is no digest"))
}

/// The lease of a tree, and the batch that is to be written under it.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) size: u64,
    pub(super) root: Digest,
    /// Rises with each new holder: what an earlier one writes is refused.
    pub(super) epoch: i64,
    /// Rows of `log_pending`. Whoever goes on after this holder makes the same batch of them.
    pub(super) planned: Vec<i64>,
}

// A batch that was planned is written before another one is.
// SQL: one statement decides, takes the lease and plans.
const CLAIM: &str = "UPDATE log_trees SET epoch = epoch + CASE WHEN holder = $2 THEN 0 ELSE 1 END, \
     holder = $2, held_until = $4, planned = coalesce(planned, (SELECT array_agg(p.id ORDER BY p.id) \
         FROM (SELECT id FROM log_pending ORDER BY id LIMIT $5) p)) \
     WHERE number = $1 AND frozen_at IS NULL AND NOT is_doubted \
     AND (holder = $2 OR holder IS NULL OR held_until <= $3) \
     RETURNING size, root, epoch, coalesce(planned, '{}')";

/// Who asks for the lease, and until when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) holder: Uuid,
    pub(super) now: Timestamp,
    pub(super) until: Timestamp,
}

/// Takes or keeps the lease, and plans a batch of at most `most` rows; nothing while somebody else has
/// it.
pub(super) async fn claim(
    db: &impl ConnectionTrait,
    tree: i16,
    term: Term,
    most: i64,
) -> Result<Option<Claim>> {
    let values =
        [tree.into(), term.holder.into(), instant(term.now), instant(term.until), most.into()];
    let Some(row) = db.query_one_raw(statement(CLAIM, values)).await? else { return Ok(None) };
    Ok(Some(Claim {
        size: number(row.try_get_by_index(0)?),
        root: root(&row, 1)?,
        epoch: row.try_get_by_index(2)?,
        planned: row.try_get_by_index(3)?,
    }))
}

/// Gives the lease back.
pub(super) async fn release(db: &impl ConnectionTrait, holder: Uuid) -> Result<()> {
    let free =
        table::ActiveModel { holder: Set(None), held_until: Set(None), ..Default::default() };
    update_untenanted::<table::Entity>()
        .set(free)
        .filter(Column::Holder.eq(holder))
        .filter(Column::FrozenAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}

/// Stops the open tree: no process signs it any more. It must still be as it was looked at: of `size`, and
/// under the claim of `epoch` if there was one. Whoever was slow may have looked at two states of it, half at
/// each, and whether somebody else has stopped it meanwhile is seen the next time. Tells whether it stopped.
pub(super) async fn doubt(
    db: &impl ConnectionTrait,
    tree: i16,
    size: u64,
    epoch: Option<i64>,
) -> Result<bool> {
    let size = i64::try_from(size).map_err(|error| Error::Bug(error.into()))?;
    let doubted = table::ActiveModel { is_doubted: Set(true), ..Default::default() };
    let stop = update_untenanted::<table::Entity>()
        .set(doubted)
        .filter(Column::Number.eq(tree))
        .filter(Column::Size.eq(size))
        .filter(Column::FrozenAt.is_null())
        .filter(Column::IsDoubted.eq(false))
        .apply_if(epoch, |stop, epoch| stop.filter(Column::Epoch.eq(epoch)));
    Ok(stop.exec(db).await?.rows_affected > 0)
}

/// The verifier keys of all trees.
pub(super) async fn vkeys(db: &impl ConnectionTrait) -> Result<Vec<String>> {
    of_all(db, Column::Vkey).await
}

/// The origins of all trees.
pub(super) async fn origins(db: &impl ConnectionTrait) -> Result<Vec<String>> {
    of_all(db, Column::Origin).await
}

/// A column of all trees, oldest first.
async fn of_all(db: &impl ConnectionTrait, column: Column) -> Result<Vec<String>> {
    let trees = untenanted::<table::Entity>().order_by_asc(Column::Number);
    Ok(trees.select_only().column(column).into_tuple().all(db).await?)
}

// Nothing when somebody was faster.
// SQL: one statement inserts the tree and its first checkpoint.
const BEGIN: &str = "WITH tree AS (INSERT INTO log_trees \
     (number, origin, tree_id, vkey, root, began_at) \
     SELECT coalesce(max(number), 0) + 1, $1, $2, $3, $4, $5 FROM log_trees \
     HAVING count(*) FILTER (WHERE frozen_at IS NULL) = 0 ON CONFLICT DO NOTHING RETURNING number) \
     INSERT INTO log_checkpoints (tree, size, epoch, note, signed_at) \
     SELECT number, 0, 0, $6, $5 FROM tree";

/// Begins a tree without entries, with its key and the signed checkpoint of its beginning.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the key cannot be used, or the store is away.
pub(super) async fn begin(
    db: &impl ConnectionTrait,
    origin: &str,
    key: &TreeKey,
    now: Timestamp,
) -> Result<()> {
    let checkpoint = Checkpoint { origin: origin.to_owned(), size: 0, root: empty_root() };
    let note = key.sign(&checkpoint.to_string()).await?;
    let values = [
        origin.into(),
        tree_id(origin).into(),
        key.vkey().to_string().into(),
        checkpoint.root.to_string().into(),
        instant(now),
        note.into(),
    ];
    db.execute_raw(statement(BEGIN, values)).await?;
    Ok(())
}

/// The first name from `origin` on that is not among `used`: the number at its end rises.
pub(super) fn free_origin(origin: &str, used: &[String]) -> String {
    let mut free = origin.to_owned();
    while used.contains(&free) {
        free = match free.rsplit_once('/').map(|(stem, last)| (stem, last.parse::<u32>())) {
            Some((stem, Ok(last))) => format!("{stem}/{}", last.saturating_add(1)),
            _ => format!("{free}/2"),
        };
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_taken_twice() {
        let used = ["log.example/log/1", "log.example/log/2", "plain"].map(str::to_owned);
        for (origin, free) in [
            ("other.example/log/1", "other.example/log/1"),
            ("log.example/log/1", "log.example/log/3"),
            ("plain", "plain/2"),
        ] {
            assert_eq!(free_origin(origin, &used), free);
        }
    }
}
