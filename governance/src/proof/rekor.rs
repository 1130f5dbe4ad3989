//! Rekor: publishes checkpoints of the transparency log in a log of a third party, so that a service that
//! shows different logs to different readers can be detected. Off unless a URL is configured.
//!
//! Supports two dialects: Rekor 1 (`/api/v1`, entries `hashedrekord` 0.0.1) and Rekor 2 (`/api/v2`, entries
//! `hashedrekord` 0.0.2, proofs from tiles). Source: the `OpenAPI` documents of sigstore/rekor and
//! sigstore/rekor-tiles.

mod entry;
mod key;
mod log_key;
mod proof;
mod queue;
mod submit;

pub use self::{
    entry::Entry,
    key::{ParseRekorKeyError, RekorKey},
    log_key::{LogKey, ParseLogKeyError},
    proof::{Proof, ProofError},
    queue::{Rekor, RekorRecord, SubmissionResult, latest_proof, latest_record},
    submit::{RESPONSE_BYTES_MAX, RekorResponse, RekorTransport, Request, SubmissionError, submit},
};

use crate::Governance;

contract::named_enum! {
    /// The API dialect of a Rekor instance.
    pub enum Dialect {
        /// Rekor 1: entries are read by their ID.
        V1 = "v1",
        /// Rekor 2: entries are read from tiles.
        V2 = "v2",
    }
}

impl Governance {
    fn rekor_key(&self) -> Option<&RekorKey> {
        self.keys()?.rekor()
    }
}
