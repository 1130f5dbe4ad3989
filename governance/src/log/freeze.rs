//! What whoever operates the service sees of the log's trees, and the way out when nothing may be signed
//! under the name of one.

use std::sync::Arc;

use contract::time::Timestamp;
use entity::{
    column::at,
    log_tree::{self as table, Column},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QueryResult, prelude::DateTimeUtc,
};
use serde::Serialize;

use super::{key, memory::Memory, nodes::number, origin_fault, sequencer::aside, tree};
use crate::{
    Governance,
    cx::Cx,
    database::{self, update_untenanted},
    error::{
        Error, Result,
        log::{no_key, origin_refused, origin_used},
    },
    tenancy::statement,
};

/// One tree, open or frozen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeRecord {
    /// Its name.
    pub origin: String,
    /// What stands for the name in anchors.
    pub tree_id: String,
    /// What checks its checkpoints.
    pub vkey: String,
    /// How many entries it has.
    pub size: u64,
    /// The root over them.
    pub root: String,
    /// `open`, `doubted` (nothing is signed: freeze it) or `frozen`.
    pub state: &'static str,
    /// When it began.
    pub began_at: Timestamp,
    /// When it was frozen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen_at: Option<Timestamp>,
    /// The last checkpoint: a signed note.
    pub checkpoint: String,
}

// SQL: one statement also finds the last checkpoint of each tree.
const SHOW: &str = "SELECT t.origin, t.tree_id, t.vkey, t.size, t.root, t.is_doubted, t.began_at, \
     t.frozen_at, coalesce((SELECT c.note FROM log_checkpoints c WHERE c.tree = t.number \
         ORDER BY c.size DESC LIMIT 1), '') FROM log_trees t ORDER BY t.number";

/// All trees, oldest first: the last one is open.
///
/// # Errors
/// `UNAUTHORIZED` for whoever does not operate the service.
pub async fn show(cx: &Cx) -> Result<Vec<TreeRecord>> {
    cx.provision()?;
    trees(&cx.governance).await
}

/// All trees, oldest first.
pub(crate) async fn trees(governance: &Governance) -> Result<Vec<TreeRecord>> {
    let rows = governance.database().query_all_raw(statement(SHOW, [])).await?;
    rows.iter().map(record).collect()
}

fn record(row: &QueryResult) -> Result<TreeRecord> {
    let (is_doubted, began_at): (bool, DateTimeUtc) =
        (row.try_get_by_index(5)?, row.try_get_by_index(6)?);
    let frozen_at: Option<DateTimeUtc> = row.try_get_by_index(7)?;
    let state = match (frozen_at, is_doubted) {
        (Some(_), _) => "frozen",
        (None, true) => "doubted",
        (None, false) => "open",
    };
    Ok(TreeRecord {
        origin: row.try_get_by_index(0)?,
        tree_id: row.try_get_by_index(1)?,
        vkey: row.try_get_by_index(2)?,
        size: number(row.try_get_by_index(3)?),
        root: row.try_get_by_index(4)?,
        state,
        began_at: entity::column::instant(began_at),
        frozen_at: frozen_at.map(entity::column::instant),
        checkpoint: row.try_get_by_index(8)?,
    })
}

/// Freezes the open tree and begins one with another name, `origin` or the next number, and with a key of
/// its own. What was logged stays provable under the old name; what waits is logged in the new tree.
///
/// # Errors
/// `UNAUTHORIZED`; `VALIDATION_ERROR` for a name that cannot be one; `CONFLICT` for one that was used,
/// and without a signing key; `SERVICE_UNAVAILABLE` when the key provider makes no new key.
pub async fn freeze(cx: &Cx, memory: Arc<dyn Memory>, origin: Option<&str>) -> Result<TreeRecord> {
    cx.provision()?;
    if !cx.governance.has_log() {
        return Err(no_key().into());
    }
    if let Some(fault) = origin.and_then(origin_fault) {
        return Err(origin_refused(fault).into());
    }
    let remembering = Arc::clone(&memory);
    let mut known = aside(move || remembering.recall()).await?;
    let vkeys = tree::vkeys(cx.governance.database()).await?;
    let tx = database::begin(cx.governance.database()).await?;
    let frozen = table::ActiveModel { frozen_at: Set(Some(at(cx.now))), ..Default::default() };
    let open = update_untenanted::<table::Entity>().filter(Column::FrozenAt.is_null());
    let frozen = open.set(frozen).exec_with_returning(&tx).await?;
    let mut used = tree::origins(&tx).await?;
    let is_missing_trees = known.iter().any(|tree| !used.contains(&tree.origin));
    used.extend(known.iter().map(|tree| tree.origin.clone()));
    if origin.is_some_and(|origin| used.iter().any(|used| used == origin)) {
        return Err(origin_used().into());
    }
    let from = origin
        .or(frozen.first().map(|tree| tree.origin.as_str()))
        .unwrap_or(cx.governance.log().origin());
    let begun = tree::free_origin(from, &used);
    let key = key::for_new_tree(&cx.governance, &begun, &vkeys, is_missing_trees).await?;
    tree::begin(&tx, &begun, &key, cx.now).await?;
    // The names are never taken again. Should the commit fail, the old tree must be frozen once more.
    for tree in &mut known {
        tree.is_closed = true;
    }
    if !known.is_empty() {
        aside(move || memory.remember(&known)).await?;
    }
    tx.commit().await?;
    let begun = show(cx).await?.into_iter().find(|tree| tree.origin == begun);
    begun.ok_or_else(|| Error::bug("a tree that was just begun is missing"))
}
