//! Verification of the stored trees: entries, nodes, checkpoints and the heads in the rollback guard.

use entity::{
    log_checkpoint as checkpoints, log_entry as entries,
    log_tree::{self as trees, Column as TreeColumn},
};
use receipt::{
    merkle::{self, IncrementalTree, leaf_hash},
    transparency_log::{Checkpoint, Note, Vkey},
};

use super::SignedTreeHead;
use crate::{
    base::prelude::*,
    proof::transparency_log::{column, number},
};

/// The number of entries that are read at a time.
const PAGE_ENTRIES: u64 = 4_096;

/// The maximum number of reported problems of the entries.
const PROBLEMS_MAX: usize = 100;

/// The levels of stored nodes that begin a tile, in tiles.
const TILE_LEVELS: std::ops::Range<u32> = 1..8;

/// The result of verifying all trees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogVerification {
    pub(crate) entries: u64,
    pub(crate) checkpoints: u64,
    pub(crate) problems: Vec<String>,
    /// What contradicts the rollback guard.
    pub(crate) guard_problems: Vec<String>,
}

/// Verifies all trees, and compares them with the heads of the rollback guard.
pub(crate) async fn verify(
    governance: &Governance,
    heads: &[SignedTreeHead],
) -> Result<LogVerification> {
    let rows = untenanted::<trees::Entity>().order_by_asc(TreeColumn::Number);
    let rows = rows.all(governance.database()).await?;
    let mut result = LogVerification::default();
    for head in heads {
        if !head.is_closed && !rows.iter().any(|row| row.origin == head.origin) {
            let message = format!("the tree {} is missing in the database", head.origin);
            result.guard_problems.push(message);
        }
    }
    for row in &rows {
        let head = heads.iter().find(|head| head.origin == row.origin);
        TreeVerifier::new(row, head, &mut result).run(governance).await?;
    }
    Ok(result)
}

struct TreeVerifier<'a> {
    row: &'a trees::Model,
    size: u64,
    head: Option<&'a SignedTreeHead>,
    tree: IncrementalTree,
    result: &'a mut LogVerification,
}

impl<'a> TreeVerifier<'a> {
    fn new(
        row: &'a trees::Model,
        head: Option<&'a SignedTreeHead>,
        result: &'a mut LogVerification,
    ) -> Self {
        Self { row, size: number(row.size), head, tree: IncrementalTree::default(), result }
    }

    async fn run(mut self, governance: &Governance) -> Result<()> {
        self.check_guard_end();
        let first = self.checkpoints(governance, 0..1).await?;
        self.check_heads(&first);
        while self.tree.size() < self.size {
            let since = self.tree.size();
            let until = since.saturating_add(PAGE_ENTRIES).min(self.size);
            let sizes = since.saturating_add(1)..until.saturating_add(1);
            let checkpoints = self.checkpoints(governance, sizes).await?;
            let rows = untenanted::<entries::Entity>()
                .filter(entries::Column::Tree.eq(self.row.number))
                .filter(entries::Column::Index.gte(column(since)?))
                .filter(entries::Column::Index.lt(column(until)?))
                .order_by_asc(entries::Column::Index);
            let rows = rows.all(governance.database()).await?;
            if !self.append(&rows, &checkpoints) {
                return Ok(());
            }
            self.check_nodes(governance).await?;
            // Only the nodes at the right edge are needed from here on.
            match IncrementalTree::new(&self.tree, self.tree.size()) {
                Ok(tree) => self.tree = tree,
                Err(error) => {
                    self.problem(&format!("at {until} entries: {error}"));
                    return Ok(());
                }
            }
        }
        if self.root() != self.row.root {
            self.problem("the stored root differs from its entries");
        }
        Ok(())
    }

    /// Appends a page of entries. Returns whether it is complete.
    fn append(&mut self, rows: &[entries::Model], checkpoints: &BTreeMap<u64, String>) -> bool {
        let expected = self.size.min(self.tree.size().saturating_add(PAGE_ENTRIES));
        for row in rows {
            if number(row.index) != self.tree.size() {
                break;
            }
            let leaf = leaf_hash(row.data.as_bytes());
            if row.leaf_hash != leaf.as_bytes() {
                self.problem(&format!("entry {} differs from its hash", row.index));
            }
            self.tree.push(leaf);
            self.result.entries = self.result.entries.saturating_add(1);
            self.check_heads(checkpoints);
        }
        let is_complete = self.tree.size() == expected;
        if !is_complete {
            self.problem(&format!("entry {} is missing", self.tree.size()));
        }
        is_complete
    }

    /// Compares the checkpoint and the head of the guard for the current size, if there are any.
    fn check_heads(&mut self, checkpoints: &BTreeMap<u64, String>) {
        let size = self.tree.size();
        if let Some(note) = checkpoints.get(&size) {
            self.result.checkpoints = self.result.checkpoints.saturating_add(1);
            if let Err(reason) = self.check_note(note) {
                self.problem(&format!("the checkpoint of {size} entries {reason}"));
            }
        }
        if let Some(head) = self.head.filter(|head| head.size == size)
            && head.root.to_string() != self.root()
        {
            let message = format!("{}: the root of {size} entries differs", head.origin);
            self.result.guard_problems.push(message);
        }
    }

    fn check_note(&self, note: &str) -> Result<(), &'static str> {
        let vkey: Vkey = self.row.vkey.parse().map_err(|_| "has no key")?;
        let note = Note::read(note).map_err(|_| "is not a note")?;
        note.verify(&vkey).map_err(|_| "has no valid signature")?;
        let checkpoint = Checkpoint::read(note.text).map_err(|_| "is not a checkpoint")?;
        let is_same = checkpoint.origin == self.row.origin
            && checkpoint.size == self.tree.size()
            && checkpoint.root.to_string() == self.root();
        if is_same { Ok(()) } else { Err("differs from the entries") }
    }

    /// Checks what the guard says about the end of the tree.
    fn check_guard_end(&mut self) {
        let Some(head) = self.head else { return };
        let origin = &head.origin;
        let is_open = self.row.frozen_at.is_none();
        if head.is_closed && is_open {
            let message =
                format!("the guard has closed {origin}, and the database has not frozen it");
            self.result.guard_problems.push(message);
        } else if !head.is_closed && head.size > self.size && self.row.planned_ids.is_none() {
            let (signed, stored) = (head.size, self.size);
            let message =
                format!("{origin}: {signed} entries were signed, and the database has {stored}");
            self.result.guard_problems.push(message);
        }
    }

    /// Returns the notes of the checkpoints with these sizes.
    async fn checkpoints(
        &self,
        governance: &Governance,
        sizes: std::ops::Range<u64>,
    ) -> Result<BTreeMap<u64, String>> {
        let rows = untenanted::<checkpoints::Entity>()
            .filter(checkpoints::Column::Tree.eq(self.row.number))
            .filter(checkpoints::Column::Size.gte(column(sizes.start)?))
            .filter(checkpoints::Column::Size.lt(column(sizes.end)?));
        let rows = rows.all(governance.database()).await?;
        Ok(rows.into_iter().map(|row| (number(row.size), row.note)).collect())
    }

    /// Compares the stored nodes that the last page completed, from which tiles and proofs are read.
    async fn check_nodes(&mut self, governance: &Governance) -> Result<()> {
        let mut expected = BTreeMap::new();
        for level in TILE_LEVELS {
            for (index, hash) in self.tree.completed(level.saturating_mul(8)) {
                expected.insert((i32::try_from(level).unwrap_or_default(), column(index)?), hash);
            }
        }
        let keys: (Vec<i32>, Vec<i64>) = expected.keys().copied().unzip();
        let values = [self.row.number.into(), keys.0.into(), keys.1.into()];
        let rows =
            sql::tuples::<(i32, i64, Option<_>)>(governance.database(), SELECT_NODES, values);
        for (level, index, stored) in rows.await? {
            let hash = expected.get(&(level, index)).map(Digest::to_string);
            if stored != hash {
                self.problem(&format!("the node {index} of level {level} differs"));
            }
        }
        Ok(())
    }

    /// Returns the root of the entries so far in hexadecimal characters; empty if it cannot be computed.
    fn root(&self) -> String {
        merkle::root(&self.tree, self.tree.size()).map(|root| root.to_string()).unwrap_or_default()
    }

    fn problem(&mut self, problem: &str) {
        if self.result.problems.len() < PROBLEMS_MAX {
            self.result.problems.push(format!("{}: {problem}", self.row.origin));
        }
    }
}

// SQL: a page of nodes is selected by arrays.
const SELECT_NODES: &str = "SELECT k.level, k.index, encode(n.hash, 'hex') \
     FROM unnest($2::int[], $3::bigint[]) AS k (level, index) \
     LEFT JOIN log_nodes n ON n.tree = $1 AND n.level = k.level AND n.index = k.index";
