//! The transparency log: an append-only Merkle tree of digests that anyone can verify (receipts, section
//! 10).
//!
//! Digests to be logged are queued in a table, in the transaction of their cause. One sequencer at a time
//! turns them into entries.

mod anchor;
mod lookup;
mod nodes;
mod read;
mod rollback_guard;
mod sequencer;
mod tree;
mod tree_key;
mod trees;
mod verify;

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
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
    rollback_guard::{InMemoryGuard, RollbackGuard, SignedTreeHead, from_text, to_text},
    sequencer::{BatchResult, Sequencer},
    trees::{GuardState, TreeInfo, freeze, guard_state, halt, show},
};
use crate::{Governance, proof::signing::ServiceKey};

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
        let key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        key.clone().filter(|key| key.kid() == kid)
    }

    /// Stores the key of the open tree for the next runs, and returns it.
    fn store_key(&self, key: ServiceKey) -> ServiceKey {
        self.key.lock().unwrap_or_else(PoisonError::into_inner).insert(key).clone()
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
        *self.halt_reason.lock().unwrap_or_else(PoisonError::into_inner) = halt_reason;
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
        *self.proof().log.halt_reason.lock().unwrap_or_else(PoisonError::into_inner)
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
