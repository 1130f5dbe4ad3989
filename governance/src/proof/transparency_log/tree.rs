//! The rows of trees: the open tree, its lease, and new trees.

use entity::log_tree::{self as table, Column};
use receipt::{
    merkle::empty_root,
    transparency_log::{Checkpoint, tree_id},
};

use super::tree_key::TreeKey;
use crate::{base::prelude::*, proof::transparency_log::number};

/// The open tree.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) number: i16,
    pub(super) origin: String,
    pub(super) vkey: String,
    pub(super) size: u64,
    pub(super) root: Digest,
    pub(super) is_halted: bool,
    pub(super) is_planned: bool,
    /// Whether the queue contains rows.
    pub(super) is_due: bool,
}

// SQL: read in every run of the sequencer. The index passes deleted rows of the queue, which a scan would read.
const SELECT_OPEN: &str = "SELECT number, origin, vkey, size, root, is_halted, planned_ids IS NOT NULL, \
     (SELECT id FROM log_pending ORDER BY id LIMIT 1) IS NOT NULL FROM log_trees WHERE frozen_at IS NULL";

impl Tree {
    /// Loads the open tree, if there is one.
    pub(super) async fn open(db: &impl ConnectionTrait) -> Result<Option<Self>> {
        let row = sql::optional::<_>(db, SELECT_OPEN, []).await?;
        let tree = |(number, origin, vkey, size, root, is_halted, is_planned, is_due): (
            _,
            _,
            _,
            _,
            String,
            _,
            _,
            _,
        )| {
            let (size, root) = (super::number(size), read_root(&root)?);
            Ok(Self { number, origin, vkey, size, root, is_halted, is_planned, is_due })
        };
        row.map(tree).transpose()
    }
}

fn read_root(root: &str) -> Result<Digest> {
    root.parse().map_err(|_| Error::bug("the root of a tree is not a digest"))
}

/// The lease of a tree, and the batch to write under it.
#[derive(Clone, Debug)]
pub(super) struct TreeLease {
    pub(super) size: u64,
    pub(super) root: Digest,
    /// Increases with each new holder. Writes of previous holders are refused.
    pub(super) epoch: i64,
    /// The planned rows of `log_pending`. A subsequent holder writes the same batch.
    pub(super) planned: Vec<i64>,
}

// A planned batch is written before the next one is planned.
// SQL: one statement checks and takes the lease, and plans the batch.
const ACQUIRE_LEASE: &str = "UPDATE log_trees SET epoch = epoch + CASE WHEN holder = $2 THEN 0 ELSE 1 END, \
     holder = $2, held_until = $4, \
     planned_ids = coalesce(planned_ids, (SELECT array_agg(p.id ORDER BY p.id) \
         FROM (SELECT id FROM log_pending ORDER BY id LIMIT $5) p)) \
     WHERE number = $1 AND frozen_at IS NULL AND NOT is_halted \
     AND (holder = $2 OR holder IS NULL OR held_until <= $3) \
     RETURNING size, root, epoch, coalesce(planned_ids, '{}')";

#[derive(Clone, Copy, Debug)]
pub(super) struct LeaseRequest {
    pub(super) holder: Uuid,
    pub(super) now: Timestamp,
    pub(super) until: Timestamp,
}

/// Acquires or extends the lease, and plans a batch of at most `max` rows. Returns `None` while another
/// sequencer holds the lease.
pub(super) async fn acquire_lease(
    db: &impl ConnectionTrait,
    tree: i16,
    request: LeaseRequest,
    max: i64,
) -> Result<Option<TreeLease>> {
    let values = [
        tree.into(),
        request.holder.into(),
        timestamp_value(request.now),
        timestamp_value(request.until),
        max.into(),
    ];
    let row = sql::optional(db, ACQUIRE_LEASE, values).await?;
    let lease = |(size, root, epoch, planned): (_, String, _, _)| {
        Ok(TreeLease { size: number(size), root: read_root(&root)?, epoch, planned })
    };
    row.map(lease).transpose()
}

pub(super) async fn release_lease(db: &impl ConnectionTrait, holder: Uuid) -> Result<()> {
    let update =
        table::ActiveModel { holder: Set(None), held_until: Set(None), ..Default::default() };
    update_untenanted::<table::Entity>()
        .set(update)
        .filter(Column::Holder.eq(holder))
        .filter(Column::FrozenAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}

/// Halts the open tree, so that no process signs it any more, and returns whether it did. The tree must
/// still have `size` entries and, if given, the lease `epoch`: a slow caller may have read two different
/// states of it. If another process has halted the tree, that is detected in the next run.
pub(super) async fn halt(
    db: &impl ConnectionTrait,
    tree: i16,
    size: u64,
    epoch: Option<i64>,
) -> Result<bool> {
    let size = i64::try_from(size)?;
    let update = table::ActiveModel { is_halted: Set(true), ..Default::default() };
    let stop = update_untenanted::<table::Entity>()
        .set(update)
        .filter(Column::Number.eq(tree))
        .filter(Column::Size.eq(size))
        .filter(Column::FrozenAt.is_null())
        .filter(Column::IsHalted.eq(false))
        .apply_if(epoch, |stop, epoch| stop.filter(Column::Epoch.eq(epoch)));
    Ok(stop.exec(db).await?.rows_affected > 0)
}

/// Returns the verifier keys of all trees.
pub(super) async fn vkeys(db: &impl ConnectionTrait) -> Result<Vec<String>> {
    column_of_all(db, Column::Vkey).await
}

/// Returns the origins of all trees.
pub(super) async fn origins(db: &impl ConnectionTrait) -> Result<Vec<String>> {
    column_of_all(db, Column::Origin).await
}

/// Returns a column of all trees, oldest first.
async fn column_of_all(db: &impl ConnectionTrait, column: Column) -> Result<Vec<String>> {
    let trees = untenanted::<table::Entity>().order_by_asc(Column::Number);
    Ok(trees.select_only().column(column).into_tuple().all(db).await?)
}

// Inserts nothing if another process was faster.
// SQL: one statement inserts the tree and its first checkpoint.
const INSERT_TREE: &str = "WITH tree AS (INSERT INTO log_trees \
     (number, origin, tree_id, vkey, root, began_at) \
     SELECT coalesce(max(number), 0) + 1, $1, $2, $3, $4, $5 FROM log_trees \
     HAVING count(*) FILTER (WHERE frozen_at IS NULL) = 0 ON CONFLICT DO NOTHING RETURNING number) \
     INSERT INTO log_checkpoints (tree, size, epoch, note, signed_at) \
     SELECT number, 0, 0, $6, $5 FROM tree";

/// Creates an empty tree with its key and its signed initial checkpoint.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the key or the database is unavailable.
pub(super) async fn create(
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
        timestamp_value(now),
        note.into(),
    ];
    db.execute_raw(statement(INSERT_TREE, values)).await?;
    Ok(())
}

/// Returns the first origin, starting at `origin`, that is not in `used`. Increments the number at its end.
pub(super) fn free_origin(origin: &str, used: &[String]) -> String {
    let mut candidate = origin.to_owned();
    while used.contains(&candidate) {
        candidate = match candidate.rsplit_once('/').map(|(stem, last)| (stem, last.parse::<u32>()))
        {
            Some((stem, Ok(last))) => format!("{stem}/{}", last.saturating_add(1)),
            _ => format!("{candidate}/2"),
        };
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_origin_is_not_in_use() {
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
