//! The transparency log: what was recorded, in a tree that only grows and that anyone can check
//! (receipts, section 10).
//!
//! Whatever is to be logged waits in a table, where it was put in the transaction of its act. One
//! sequencer at a time makes entries of it.

mod anchor;
mod freeze;
mod key;
mod memory;
mod nodes;
mod read;
mod sequencer;
mod tree;

use std::{
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};

use tokio::sync::Notify;

pub(crate) use self::{
    anchor::{anchor, anchored, are_anchored, final_proof, frozen_trees, index},
    freeze::trees,
};
pub use self::{
    freeze::{TreeRecord, freeze, show},
    memory::{InProcess, Memory, Remembered, from_text, to_text},
    read::{Backlog, backlog, checkpoint, tile},
    sequencer::{Sequencer, Turn},
};
use crate::{Governance, cx::Cx, signing::ServiceKey};

/// The origin of the first tree, where nobody has named one.
const ORIGIN: &str = "localhost/log/1";

/// Why the log takes no entries, though there is a key. Records go on; their anchors wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The store is behind what was signed, or differs from it, as after a restore.
    Rollback,
    /// The tree was begun with a key that this process does not have.
    KeyChanged,
}

impl Refused {
    /// The word in checks and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rollback => "LOG_ROLLBACK_DETECTED",
            Self::KeyChanged => "LOG_KEY_CHANGED",
        }
    }
}

/// What a process knows of the log.
#[derive(Debug, Default)]
pub(crate) struct Log {
    origin: OnceLock<String>,
    refused: Mutex<Option<Refused>>,
    /// The key of the tree that this process signed last.
    key: Mutex<Option<ServiceKey>>,
    grown: Notify,
}

impl Log {
    fn origin(&self) -> &str {
        self.origin.get().map_or(ORIGIN, String::as_str)
    }

    /// The key `kid`, if this process signed with it last.
    fn key(&self, kid: &str) -> Option<ServiceKey> {
        let key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        key.clone().filter(|key| key.kid() == kid)
    }

    /// Stores the key of the open tree for the next turns, and returns it.
    fn remember_key(&self, key: ServiceKey) -> ServiceKey {
        self.key.lock().unwrap_or_else(PoisonError::into_inner).insert(key).clone()
    }

    /// Notes how the last turn ended.
    fn stands(&self, turn: &Turn) {
        let refused = match turn {
            Turn::Refused(refused) => Some(*refused),
            Turn::Logged { .. } => {
                self.grown.notify_waiters();
                None
            }
            _ => None,
        };
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = refused;
    }
}

/// What is wrong with an origin, if anything is: it names a key, so it has no white space and no `+`.
pub fn origin_fault(origin: &str) -> Option<&'static str> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    match origin {
        "" => Some("must not be empty"),
        _ if origin.contains(is_bad) => Some("must not have white space or `+`"),
        _ if origin.len() > 200 => Some("must have at most 200 bytes"),
        _ => None,
    }
}

impl Governance {
    /// From here on the first tree of the log is called `origin`. Only the first one counts, and a tree
    /// that is there keeps its own.
    pub fn logs_as(&self, origin: &str) {
        self.log().origin.get_or_init(|| origin.to_owned());
    }

    /// Why the log takes no entries, as this process saw it last.
    pub fn log_refused(&self) -> Option<Refused> {
        *self.log().refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is a key to sign checkpoints with; without one nothing is ever anchored.
    pub fn has_log(&self) -> bool {
        self.signer().is_some()
    }

    /// Waits until this process has logged something, and at most for `patience`: another process may
    /// log too.
    pub async fn log_grown(&self, patience: Duration) {
        let _ = tokio::time::timeout(patience, self.log().grown.notified()).await;
    }
}

impl Cx {
    /// As [`Governance::has_log`].
    pub fn has_log(&self) -> bool {
        self.governance.has_log()
    }

    /// As [`Governance::log_grown`].
    pub async fn log_grown(&self, patience: Duration) {
        self.governance.log_grown(patience).await;
    }
}
