//! Recorder: writes decisions in groups that share one transaction, one round trip and one disk flush.
//!
//! The path of a decision:
//!
//! 1. `RecordRequest`: the request. `decision::RecordCall` adds the ID and the digest of the request.
//! 2. `EvaluatedDecision`: the result of the evaluation with its snapshot and digests.
//! 3. `Record`: the signed decision with its receipt and audit event, as columns.
//! 4. `Entry`: the record in the queue, with the channel to its caller.
//! 5. `TenantBatch`: the entries of one tenant in a group.
//! 6. `LinkedBatch`: their records with audit events that follow the tenant head, as arguments of the SQL
//!    function `record_group`.
//! 7. `StoredRecord`: the stored record, which the call returns as `RecordResult`.
//!
//! Records in chains, records of forms and records after repeated activations skip steps 4 and 5.
//!
//! The first request that finds no active writer starts one. Groups form while a write is in flight, so an
//! idle service adds no delay and needs no timer. Groups are written by tasks of their own, so a caller
//! that disconnects does not affect the others.

mod entry;
mod group;
mod queue;
mod record_group;
mod tenant_batch;
mod trace;

use std::sync::{Mutex, MutexGuard, PoisonError};

use moka::sync::Cache;
use opentelemetry::context::FutureExt as _;
use tokio::sync::oneshot;

use self::entry::Entry;
pub(crate) use self::{
    entry::{Record, StoredRecord, WriteResult},
    group::write_single,
};
use self::{
    queue::{Enqueued, Limits, Queue, QueueLoad},
    trace::RecordTrace,
};
use crate::base::{audit_event::Head, prelude::*};

/// The limit of waiting records: about one second of work at the required throughput. Beyond it, requests
/// are refused with a hint to retry.
const WAITING_MAX: QueueLoad = QueueLoad { entries: 4_096, bytes: 64 << 20 };

/// The limit of one group. A larger transaction costs its records more than it saves.
const GROUP_MAX: QueueLoad = QueueLoad { entries: 128, bytes: 4 << 20 };

/// The limit of groups that are written at a time. One tenant has at most one of them. With few cores, more
/// writers only produce smaller groups.
const WRITERS_MAX: usize = 3;

/// The records that must wait before another group is written at the same time.
const FURTHER_GROUP_MIN: usize = 16;

/// The number of tenants whose head is cached.
const HEADS_CACHED_MAX: u64 = 10_000;

#[derive(Debug)]
pub(crate) struct Recorder {
    queue: Mutex<Queue<Entry>>,
    /// The head of each tenant after the last write of this process. Other processes may have moved it
    /// since; the database compares it.
    heads: Cache<TenantId, Head>,
}

impl Default for Recorder {
    fn default() -> Self {
        let limits = Limits {
            waiting: WAITING_MAX,
            group: GROUP_MAX,
            writers: WRITERS_MAX,
            further_group: FURTHER_GROUP_MIN,
        };
        Self { queue: Mutex::new(Queue::new(limits)), heads: Cache::new(HEADS_CACHED_MAX) }
    }
}

impl Recorder {
    /// Locks the queue. Its methods do not panic half way, so it is consistent even after a poisoned lock.
    fn queue(&self) -> MutexGuard<'_, Queue<Entry>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes `record` with the next group.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if too many records wait or the database became unavailable. It is then unknown
/// whether the record was written, and its idempotency key must be looked up.
pub(crate) async fn write(governance: &Governance, record: Record) -> Result<WriteResult> {
    let (reply, result) = oneshot::channel();
    let tenant = record.tenant_id;
    let entry = Entry { record, reply, trace: RecordTrace::start(governance.tracer()) };
    let enqueued = governance.deciding().recorder.queue().push(tenant, entry);
    match enqueued.map_err(|_| Error::overloaded("too many records wait to be written"))? {
        Enqueued::Waiting => {}
        Enqueued::StartWriter => start_writer(governance.clone()),
    }
    result.await.unwrap_or_else(|_| Err(Error::overloaded("a group ended without a result")))
}

fn start_writer(governance: Governance) {
    drop(tokio::spawn(run_writer(governance)));
}

/// Writes groups while the queue returns any.
async fn run_writer(governance: Governance) {
    loop {
        let (mut group, is_another_needed) = {
            let mut queue = governance.deciding().recorder.queue();
            let Some(group) = queue.next_group() else { return };
            (group, queue.start_writer())
        };
        if is_another_needed {
            start_writer(governance.clone());
        }
        let tenants: Vec<TenantId> = group.entries.iter().map(|(tenant, _)| *tenant).collect();
        let waits = group.waits;
        let records = group.entries.iter().map(|(_, entries)| entries.len()).sum();
        let entries = group.entries.iter_mut().flat_map(|(_, entries)| entries);
        let traces = entries.filter_map(|entry| entry.trace.as_mut()).collect();
        let context = trace::start_commit(governance.tracer(), records, traces);
        // A separate task: if it panics, its callers look up their keys and the queue continues.
        let writing = group::write(governance.clone(), group).with_context(context);
        let writing = tokio::spawn(writing);
        let locked = writing.await.unwrap_or_default();
        governance.deciding().recorder.queue().complete(&tenants, waits, locked);
    }
}
