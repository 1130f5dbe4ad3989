//! The log's trees as shown to operators, and the replacement of the open tree by a new one.

use entity::log_tree::{self as table, Column};
use receipt::transparency_log::Note;

use super::{
    RollbackGuard, origin_error,
    sequencer::{matches_guard, run_blocking},
    tree::{self, Tree},
    tree_key,
};
use crate::{
    base::{
        database,
        error::log::{no_key, origin_refused, origin_used},
        prelude::*,
    },
    proof::transparency_log::number,
};

/// A tree, open or frozen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeInfo {
    pub origin: String,
    /// The ID that identifies the origin in anchors.
    pub tree_id: String,
    /// The verifier key of its checkpoints.
    pub vkey: String,
    /// The number of entries.
    pub size: u64,
    pub root: String,
    /// `open`, `halted` (nothing is signed until the tree is frozen and replaced) or `frozen`.
    pub state: &'static str,
    pub began_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen_at: Option<Timestamp>,
    /// The last checkpoint, a signed note.
    pub checkpoint: String,
    /// The time of the last checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_at: Option<Timestamp>,
    /// The names of the witnesses that cosigned the last checkpoint. Their signatures are not verified.
    pub cosigners: Vec<String>,
}

// SQL: one statement also finds the last checkpoint of each tree.
const SELECT_TREES: &str = "SELECT t.origin, t.tree_id, t.vkey, t.size, t.root, t.is_halted, t.began_at, \
     t.frozen_at, coalesce(c.note, ''), c.signed_at FROM log_trees t \
     LEFT JOIN LATERAL (SELECT note, signed_at FROM log_checkpoints c WHERE c.tree = t.number \
         ORDER BY c.size DESC LIMIT 1) c ON true ORDER BY t.number";

/// Returns all trees, oldest first. Only the last one may be open.
///
/// # Errors
/// `UNAUTHORIZED` for a caller who is not an operator.
pub async fn show(cx: &Cx) -> Result<Vec<TreeInfo>> {
    cx.require_operator()?;
    trees(&cx.governance).await
}

/// Returns all trees, oldest first.
pub(crate) async fn trees(governance: &Governance) -> Result<Vec<TreeInfo>> {
    let rows = sql::tuples(governance.database(), SELECT_TREES, []).await?;
    Ok(rows.into_iter().map(tree_info).collect())
}

type TreeRow = (
    String,
    String,
    String,
    i64,
    String,
    bool,
    DateTimeUtc,
    Option<DateTimeUtc>,
    String,
    Option<DateTimeUtc>,
);

fn tree_info(row: TreeRow) -> TreeInfo {
    let (origin, tree_id, vkey, size, root, is_halted, began_at, frozen_at, checkpoint, signed_at) =
        row;
    let state = match (frozen_at, is_halted) {
        (Some(_), _) => "frozen",
        (None, true) => "halted",
        (None, false) => "open",
    };
    TreeInfo {
        cosigners: cosigners(&checkpoint, &origin),
        origin,
        tree_id,
        vkey,
        size: number(size),
        root,
        state,
        began_at: from_column(began_at),
        frozen_at: frozen_at.map(from_column),
        checkpoint,
        signed_at: signed_at.map(from_column),
    }
}

/// Returns the names that signed a checkpoint in addition to the log itself.
fn cosigners(checkpoint: &str, origin: &str) -> Vec<String> {
    let lines = Note::read(checkpoint).map(|note| note.lines).unwrap_or_default();
    let names = lines.iter().map(|line| line.name).filter(|name| *name != origin);
    names.map(str::to_owned).collect()
}

/// Freezes the open tree, and creates a new one with its own key and a new origin: `origin`, or the next
/// number. Logged entries remain provable under the old origin. Queued digests are logged in the new tree.
///
/// # Errors
/// `UNAUTHORIZED`; `VALIDATION_ERROR` for an invalid origin; `CONFLICT` for an origin that was used before,
/// and without a signing key; `SERVICE_UNAVAILABLE` if the key provider creates no new key.
pub async fn freeze(
    cx: &Cx,
    guard: Arc<dyn RollbackGuard>,
    origin: Option<&str>,
) -> Result<TreeInfo> {
    cx.require_operator()?;
    if !cx.governance.has_log() {
        return Err(no_key().into());
    }
    if let Some(reason) = origin.and_then(origin_error) {
        return Err(origin_refused(reason).into());
    }
    let guard_to_load = Arc::clone(&guard);
    let mut heads = run_blocking(move || guard_to_load.load()).await?;
    let vkeys = tree::vkeys(cx.governance.database()).await?;
    let tx = database::begin(cx.governance.database()).await?;
    let frozen =
        table::ActiveModel { frozen_at: Set(Some(to_column(cx.now))), ..Default::default() };
    let open = update_untenanted::<table::Entity>().filter(Column::FrozenAt.is_null());
    let frozen = open.set(frozen).exec_with_returning(&tx).await?;
    let mut used = tree::origins(&tx).await?;
    let is_missing_trees = heads.iter().any(|tree| !used.contains(&tree.origin));
    used.extend(heads.iter().map(|tree| tree.origin.clone()));
    if origin.is_some_and(|origin| used.iter().any(|used| used == origin)) {
        return Err(origin_used().into());
    }
    let from = origin
        .or(frozen.first().map(|tree| tree.origin.as_str()))
        .unwrap_or(cx.governance.log_origin());
    let new_origin = tree::free_origin(from, &used);
    let key = tree_key::for_new_tree(&cx.governance, &new_origin, &vkeys, is_missing_trees).await?;
    tree::create(&tx, &new_origin, &key, cx.now).await?;
    // The origins are never used again. If the commit fails, the old tree must be frozen again.
    for tree in &mut heads {
        tree.is_closed = true;
    }
    if !heads.is_empty() {
        run_blocking(move || guard.save(&heads)).await?;
    }
    tx.commit().await?;
    let tree = show(cx).await?.into_iter().find(|tree| tree.origin == new_origin);
    tree.or_bug("the new tree is missing")
}

/// Whether the log can continue, as far as the database and the rollback guard of this machine show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardState {
    /// The database has no open tree.
    NoTree,
    /// The open tree is consistent with the guard.
    Consistent,
    /// The database is behind the guard or differs from it.
    Inconsistent,
    /// The open tree is halted.
    Halted,
}

/// Compares the open tree with `guard`. Nothing is changed.
///
/// # Errors
/// `UNAUTHORIZED`; `SERVICE_UNAVAILABLE` if the database is unavailable; an internal error if the guard cannot be
/// read.
pub async fn guard_state(cx: &Cx, guard: Arc<dyn RollbackGuard>) -> Result<GuardState> {
    cx.require_operator()?;
    let heads = run_blocking(move || guard.load()).await?;
    let db = cx.governance.database();
    let Some(tree) = Tree::open(db).await? else { return Ok(GuardState::NoTree) };
    Ok(match (tree.is_halted, matches_guard(db, &tree, &heads).await?) {
        (true, _) => GuardState::Halted,
        (false, true) => GuardState::Consistent,
        (false, false) => GuardState::Inconsistent,
    })
}

/// Halts the open tree, so that no process signs it until it is frozen. After a restore from a backup, entries may
/// have been signed that the database does not contain. Returns the origin of the tree; `None` without an open one.
///
/// # Errors
/// `UNAUTHORIZED`; `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn halt(cx: &Cx) -> Result<Option<String>> {
    cx.require_operator()?;
    let db = cx.governance.database();
    let Some(open) = Tree::open(db).await? else { return Ok(None) };
    tree::halt(db, open.number, open.size, None).await?;
    Ok(Some(open.origin))
}
