//! The transparency log: an append-only Merkle tree of digests that anyone can verify (receipts, section
//! 10).
//!
//! Digests to be logged are queued in a table, in the transaction of their cause. One sequencer at a time
//! turns them into entries.

mod anchor;
mod lookup;
mod read;
mod sequencer;
mod tree;
mod tree_key;
mod trees;
mod verify;

use std::{fmt, time::Duration};

use parking_lot::Mutex;
use receipt::{
    merkle::NodeSource,
    transparency_log::{Tile, TileNodes},
};
use tokio::sync::Notify;

pub(crate) use self::{
    anchor::{anchor, anchored, are_anchored, final_proof, frozen_trees, index},
    trees::trees,
    verify::verify,
};
pub use self::{
    lookup::{LogEntry, LogState, entries, state},
    read::{Backlog, backlog, checkpoint, tile},
    sequencer::{BatchResult, Sequencer},
    trees::{GuardState, TreeInfo, freeze, guard_state, halt, show},
};
use crate::{
    Governance,
    base::{error::Cause, prelude::*},
    proof::signing::ServiceKey,
};

/// The origin of the first tree if none is configured.
pub(crate) const ORIGIN: &str = "localhost/log/1";

contract::named_enum! {
    /// The reason the log accepts no entries although a key is configured. Recording continues; anchors are
    /// delayed.
    pub enum HaltReason {
        /// The database is behind the signed tree heads or differs from them, such as after a restore from a
        /// backup.
        Rollback = "LOG_ROLLBACK_DETECTED",
        /// The tree was started with a key that this process does not have.
        KeyChanged = "LOG_KEY_CHANGED",
    }
}

/// The state of the log in this process.
#[derive(Debug, Default)]
pub(crate) struct Log {
    halt_reason: Mutex<Option<HaltReason>>,
    /// The key of the tree that this process signed last.
    key: Mutex<Option<ServiceKey>>,
    growth: Notify,
}

impl Log {
    /// Returns the key `kid`, if this process signed with it last.
    fn key(&self, kid: &str) -> Option<ServiceKey> {
        self.key.lock().clone().filter(|key| key.kid() == kid)
    }

    /// Stores the key of the open tree for the next runs, and returns it.
    fn store_key(&self, key: ServiceKey) -> ServiceKey {
        self.key.lock().insert(key).clone()
    }

    /// Records the result of the last run.
    fn record_result(&self, result: &BatchResult) {
        let halt_reason = match result {
            BatchResult::Halted(halt_reason) => Some(*halt_reason),
            BatchResult::Logged { .. } => {
                self.growth.notify_waiters();
                None
            }
            _ => None,
        };
        *self.halt_reason.lock() = halt_reason;
    }
}

/// Returns what is wrong with an origin, if anything. It is part of a key name, so it must not contain
/// white space or `+`.
pub fn origin_error(origin: &str) -> Option<&'static str> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    match origin {
        "" => Some("must not be empty"),
        _ if origin.contains(is_bad) => Some("must not contain white space or `+`"),
        _ if origin.len() > 200 => Some("must have at most 200 bytes"),
        _ => None,
    }
}

impl Governance {
    /// Returns the reason the log accepts no entries, as of the last run in this process.
    pub fn log_halt_reason(&self) -> Option<HaltReason> {
        *self.proof().log.halt_reason.lock()
    }

    /// Returns whether a key for checkpoints is configured. Without one, nothing is ever anchored.
    pub fn has_log(&self) -> bool {
        self.signer().is_some()
    }

    /// Waits until this process has logged something, and at most for `timeout`, because another process
    /// may log too.
    pub async fn wait_for_growth(&self, timeout: Duration) {
        let _ = tokio::time::timeout(timeout, self.proof().log.growth.notified()).await;
    }
}

/// Tiles of a tree, as loaded.
#[derive(Debug)]
struct Nodes {
    size: u64,
    tiles: BTreeMap<Tile, Vec<u8>>,
}

/// Selects tiles. The hashes of level 0 are stored in the entries themselves.
// SQL: one statement reads all tiles of a proof, each as one value.
const SELECT_TILES: &str = "SELECT CASE WHEN t.level = 0 \
     THEN (SELECT string_agg(e.leaf_hash, ''::bytea ORDER BY e.index) FROM log_entries e \
         WHERE e.tree = $1 AND e.index >= t.since AND e.index < t.until) \
     ELSE (SELECT string_agg(n.hash, ''::bytea ORDER BY n.index) FROM log_nodes n \
         WHERE n.tree = $1 AND n.level = t.level AND n.index >= t.since AND n.index < t.until) \
     END FROM unnest($2::int[], $3::bigint[], $4::bigint[]) \
     WITH ORDINALITY AS t (level, since, until, ordinal) ORDER BY t.ordinal";

impl Nodes {
    /// Loads `tiles` of a tree of `size` entries.
    async fn read(
        db: &impl ConnectionTrait,
        tree: i16,
        size: u64,
        tiles: Vec<Tile>,
    ) -> Result<Self> {
        let mut columns: (Vec<i32>, Vec<i64>, Vec<i64>) = Default::default();
        for tile in &tiles {
            let range = tile.range();
            columns.0.push(tile.level.map_or(-1, i32::from));
            columns.1.push(column(range.start)?);
            columns.2.push(column(range.end)?);
        }
        let values = [tree.into(), columns.0.into(), columns.1.into(), columns.2.into()];
        // A tree without entries has no tiles.
        let rows = if tiles.is_empty() {
            Vec::new()
        } else {
            sql::tuples::<Option<Vec<u8>>>(db, SELECT_TILES, values).await?
        };
        let rows = rows.into_iter().map(Option::unwrap_or_default);
        Ok(Self { size, tiles: tiles.into_iter().zip(rows).collect() })
    }

    /// Returns the bytes of a tile if it is complete.
    fn tile(&self, tile: Tile) -> Option<&[u8]> {
        let byte_len = 32 * usize::from(tile.width);
        self.tiles.get(&tile).map(Vec::as_slice).filter(|bytes| bytes.len() == byte_len)
    }
}

impl NodeSource for Nodes {
    fn node(&self, level: u32, index: u64) -> Option<Digest> {
        let read = |tile| self.tile(tile).map(<[u8]>::to_vec);
        TileNodes { size: self.size, read }.node(level, index)
    }
}

/// Converts a number to the type of its column.
fn column(number: u64) -> Result<i64> {
    Ok(i64::try_from(number)?)
}

/// Converts a column to a number. Stored numbers are never negative.
fn number(column: i64) -> u64 {
    u64::try_from(column).unwrap_or_default()
}

/// The latest tree head that was signed, or is about to be signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTreeHead {
    pub origin: String,
    /// The number of entries.
    pub size: u64,
    pub root: Digest,
    /// Whether the tree was frozen. Nothing is signed for its origin any more.
    pub is_closed: bool,
}

/// The storage of signed tree heads. It must outlive the process and the database.
pub trait RollbackGuard: fmt::Debug + Send + Sync {
    /// Loads the saved tree heads; empty at first.
    ///
    /// # Errors
    /// The storage cannot be read. Nothing is signed then.
    fn load(&self) -> Result<Vec<SignedTreeHead>, Cause>;

    /// Replaces the saved tree heads with `trees`. They are durable when it returns.
    ///
    /// # Errors
    /// The storage cannot be written. Nothing is signed then.
    fn save(&self, trees: &[SignedTreeHead]) -> Result<(), Cause>;
}

/// A guard in memory, for tests.
#[derive(Debug, Default)]
pub struct InMemoryGuard(Mutex<Vec<SignedTreeHead>>);

impl RollbackGuard for InMemoryGuard {
    fn load(&self) -> Result<Vec<SignedTreeHead>, Cause> {
        Ok(self.0.lock().clone())
    }

    fn save(&self, trees: &[SignedTreeHead]) -> Result<(), Cause> {
        *self.0.lock() = trees.to_vec();
        Ok(())
    }
}

/// The `schema` of the text form.
const SCHEMA: &str = "service-log-memory/v1";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Text {
    schema: String,
    trees: Vec<TreeText>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct TreeText {
    origin: String,
    size: u64,
    root: String,
    is_closed: bool,
}

/// Returns the text form of tree heads, as stored in a file.
///
/// # Errors
/// None are known; the JSON writer returns a `Result`.
pub fn to_text(trees: &[SignedTreeHead]) -> Result<String, Cause> {
    let tree = |tree: &SignedTreeHead| TreeText {
        origin: tree.origin.clone(),
        size: tree.size,
        root: tree.root.to_string(),
        is_closed: tree.is_closed,
    };
    let text = Text { schema: SCHEMA.to_owned(), trees: trees.iter().map(tree).collect() };
    Ok(serde_json::to_string(&text)?)
}

/// Parses the text form of tree heads.
///
/// # Errors
/// The text was not written by [`to_text`].
pub fn from_text(text: &str) -> Result<Vec<SignedTreeHead>, Cause> {
    let text: Text = serde_json::from_str(text)?;
    if text.schema != SCHEMA {
        return Err(format!("`{}` is not `{SCHEMA}`", text.schema).into());
    }
    let tree = |tree: TreeText| {
        let root = tree.root.parse().map_err(|_| "a root is not a digest")?;
        let TreeText { origin, size, is_closed, .. } = tree;
        Ok(SignedTreeHead { origin, size, root, is_closed })
    };
    text.trees.into_iter().map(tree).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guard_file_round_trips_and_refuses_unknown_content() {
        let root = Digest::compute(b"root");
        let tree =
            SignedTreeHead { origin: "log.example/1".into(), size: 7, root, is_closed: false };
        let closed = SignedTreeHead { is_closed: true, ..tree.clone() };
        let trees = vec![closed, tree];
        let text = to_text(&trees).unwrap();
        assert_eq!(from_text(&text).unwrap(), trees);
        assert_eq!(from_text(&to_text(&[]).unwrap()).unwrap(), []);
        for bad in ["", "{}", "[]", &text[1..], &text.replace("/v1", "/v2")] {
            assert!(from_text(bad).is_err(), "{bad}");
        }
        assert!(from_text(&text.replace(&root.to_string(), "00")).is_err());
    }
}
