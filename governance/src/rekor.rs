//! Rekor: a public log of others, in which checkpoints of our own log can be put on record, so that
//! a service that shows two logs to two readers is found out. Off unless an address is configured.
//!
//! Two dialects are spoken: that of Rekor 1 (`/api/v1`, entries `hashedrekord` 0.0.1) and that of
//! Rekor 2 (`/api/v2`, entries `hashedrekord` 0.0.2, proofs from tiles). Source: the `OpenAPI`
//! documents of sigstore/rekor and sigstore/rekor-tiles.

mod entry;
mod key;
mod log_key;
mod proof;
mod queue;
mod submit;

pub use self::{
    entry::Entry,
    key::{NotAKey, RekorKey},
    log_key::{LogKey, NotALogKey},
    proof::{Broken, Proof},
    queue::{Rekor, Turn, last},
    submit::{ANSWER_BYTES_MAX, Answer, Courier, Failure, Request, submit},
};

use crate::Governance;

/// How an instance of Rekor is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Rekor 1: entries are read by their id.
    V1,
    /// Rekor 2: entries are read from tiles.
    V2,
}

impl Dialect {
    /// The word in the configuration and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

impl Governance {
    /// The key that signs for Rekor, if there is one.
    fn rekor_key(&self) -> Option<&RekorKey> {
        self.keys()?.rekor()
    }
}
