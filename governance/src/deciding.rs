//! Decisions: snapshots of the active policies, evaluation, recording, chains, exports and hosted forms.
//!
//! A decision is the result of the engine for one context and one snapshot. The snapshot is the immutable set
//! of the policies that are active in the tenant, with those that it inherits; `snapshot` compiles and caches
//! it by a counter that each activation increases. `decision::evaluate` returns a verdict without storing
//! anything. `decision::record` stores it: the record, the signed receipt, the audit event, the alerts and
//! the pending entry of the transparency log are of one transaction.
//!
//! Writing is the bottleneck, so the `recorder` collects the records that wait while another write is in
//! flight, and writes each group with one call of the SQL function `record_group`. Records in chains lock
//! their chain first.
//!
//! - An idempotency key yields one decision. A repeated call returns the stored record byte for byte, a
//!   different request with the same key is refused.
//! - A decision never uses policies that were deactivated before its commit: the function compares the
//!   counter, and the decision is evaluated again if it has moved.
//! - Records, receipts and snapshots never change. An outcome is added once.
//! - Steps of a chain are unique, positions have no gaps, and nothing follows a seal.
//! - A dry run and a replay write nothing. A replay uses the stored snapshot, never the active policies.
//! - A stream sends each decision once, in the order of the tenant, and can be resumed in any process.
//!
//! Locks are taken in one order: rows of objects, then the head of the chain, then the head of the tenant.
//! Evaluations that may take long wait for a permit and leave their async worker (`long_work`). Pages and
//! exports are cut by bytes as well as by rows, because one decision can have megabytes. `form` serves the
//! public: a form spends its budget in the transaction of the decision.

pub(crate) mod bundle_size;
pub mod chain;
pub mod decision;
pub mod form;
pub(crate) mod long_work;
pub(crate) mod recorder;
pub mod saved_filter;
pub mod snapshot;

use tokio::sync::Mutex;

use crate::base::{cache::Cache, prelude::*, shared::Shared};

/// The state of this layer.
#[derive(Debug)]
pub(crate) struct DecidingState {
    pub(crate) snapshots: snapshot::Snapshots,
    pub(crate) recorder: recorder::Recorder,
    pub(crate) streams: decision::stream::StreamRegistry,
    pub(crate) long_work: long_work::LongWork,
    /// Requests take these before they lock a busy row, so that they wait without a database connection.
    pub(crate) chain_locks: Shared<ChainId, Mutex<()>>,
    pub(crate) form_locks: Shared<FormId, Mutex<()>>,
    /// The names of tenants on the pages of their forms.
    pub(crate) tenant_names: Cache<TenantId, String>,
}

impl Default for DecidingState {
    fn default() -> Self {
        Self {
            snapshots: snapshot::Snapshots::default(),
            recorder: recorder::Recorder::default(),
            streams: decision::stream::StreamRegistry::default(),
            long_work: long_work::LongWork::default(),
            chain_locks: Shared::default(),
            form_locks: Shared::default(),
            tenant_names: Cache::of_entries(10_000),
        }
    }
}
