//! Evidence about decisions: signing keys, the trust registry, the transparency log, Rekor and the audit log.
//!
//! A verdict is worth what can be shown about it later, to somebody who does not trust this service. Four
//! parts build on each other:
//!
//! 1. `signing` has the keys of this process, one for each purpose. What is signed is stored byte for byte.
//! 2. `trust_registry` is the versioned list of all keys with their periods of validity, signed by root keys.
//!    A verifier pins a root key and finds every other key here. Versions never change; a revoked key stays
//!    listed.
//! 3. `transparency_log` is an append-only Merkle tree of the digests of all receipts. A record adds a
//!    pending entry in its transaction. One process at a time, the holder of the lease of the tree, appends
//!    the entries and signs a checkpoint; a fencing epoch keeps a former holder from writing. `rekor`
//!    publishes checkpoints in a public log.
//! 4. `audit` is the hash-chained log of all changes of a tenant. A transaction commits only together with
//!    its event.
//!
//! - A tree never shrinks and no entry changes. Before it signs, the sequencer compares the tree with the
//!   last signed head, also with the one that the rollback guard stores outside the database. If they differ,
//!   the log halts, and readiness fails: a restored backup must not become a second history.
//! - Positions of audit events have no gaps. Each event contains the hash of the one before.
//! - A service without keys signs nothing and has no log; it is never signed by another key instead.
//!
//! Verification uses the functions of `receipt`, which the offline verifier uses too. So service and verifier
//! cannot disagree about what is valid.

pub mod audit;
pub mod rekor;
pub mod signing;
pub mod transparency_log;
pub mod trust_registry;

/// The state of this layer.
#[derive(Debug, Default)]
pub(crate) struct ProofState {
    /// The signing keys; `None` when signing is not configured.
    pub(crate) keys: Option<signing::KeySet>,
    pub(crate) registries: trust_registry::RegistryCache,
    pub(crate) log: transparency_log::Log,
}
