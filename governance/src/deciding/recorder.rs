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

mod group;
mod queue;
mod record_group;
mod trace;

use contract::evaluation::Signature;
use entity::decision_texts::DecisionTexts;
use opentelemetry::context::FutureExt as _;
use parking_lot::Mutex;
use tokio::sync::oneshot;

pub(crate) use self::group::write_single;
use self::{
    queue::{Enqueued, Limits, Queue, QueueLoad, Weight},
    record_group::LinkedBatch,
    trace::RecordTrace,
};
use crate::base::{
    audit_event::{Head, PendingEvent},
    cache::Cache,
    prelude::*,
};

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
        Self { queue: Mutex::new(Queue::new(limits)), heads: Cache::of_entries(HEADS_CACHED_MAX) }
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
    let enqueued = governance.deciding().recorder.queue.lock().push(tenant, entry);
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
            let mut queue = governance.deciding().recorder.queue.lock();
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
        governance.deciding().recorder.queue.lock().complete(&tenants, waits, locked);
    }
}

/// A signed decision with its receipt and audit event, as the columns of its rows.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) tenant_id: TenantId,
    pub(crate) id: DecisionId,
    /// The activation counter at which it was evaluated.
    pub(crate) activations: i64,
    pub(crate) idempotency_key: String,
    pub(crate) request_digest: Digest,
    pub(crate) decision_type: String,
    pub(crate) decision: Verdict,
    pub(crate) correlation_id: String,
    /// The policy that determined the verdict.
    pub(crate) policy_id: PolicyId,
    pub(crate) policy_code: String,
    pub(crate) policy_version: i32,
    pub(crate) snapshot_id: SnapshotId,
    pub(crate) actor_id: Option<String>,
    pub(crate) policy_ids: Vec<PolicyId>,
    /// The violated rules, and their policies.
    pub(crate) rule_codes: Vec<String>,
    pub(crate) violated_policies: Vec<PolicyId>,
    /// The highest severity of the violations.
    pub(crate) severity: Option<Severity>,
    pub(crate) shadow_converted: bool,
    pub(crate) recorded_at: Timestamp,
    /// The response, byte for byte.
    pub(crate) text: String,
    /// The texts of the decision, as in their column.
    pub(crate) texts: Vec<u8>,
    pub(crate) receipt_digest: Digest,
    pub(crate) signature: Option<Signature>,
    pub(crate) event: PendingEvent,
}

/// The result of writing a record.
#[derive(Debug)]
pub(crate) enum WriteResult {
    /// The record was stored, or another one was stored earlier under its idempotency key.
    Stored(StoredRecord),
    /// A policy was activated after the evaluation. The decision must be evaluated again at this counter.
    Outdated { activations: i64 },
}

/// The record stored under an idempotency key.
#[derive(Clone, Debug)]
pub(crate) struct StoredRecord {
    pub(crate) id: DecisionId,
    pub(crate) request_digest: Digest,
    pub(crate) record: String,
}

impl StoredRecord {
    /// Reads the ID, the digest of the request and the texts of a stored decision.
    pub(crate) fn read((id, digest, texts): (Uuid, Vec<u8>, DecisionTexts)) -> Result<Self> {
        let request_digest = stored_digest::read(&digest)?;
        Ok(Self { id: DecisionId(id), request_digest, record: texts.record })
    }
}

impl From<Record> for StoredRecord {
    fn from(record: Record) -> Self {
        Self { id: record.id, request_digest: record.request_digest, record: record.text }
    }
}

/// A queued record and the channel to its caller.
#[derive(Debug)]
struct Entry {
    record: Record,
    reply: oneshot::Sender<Result<WriteResult>>,
    trace: Option<RecordTrace>,
}

impl Entry {
    /// Sends the result to the caller, if it is still connected.
    fn respond(self, reply: Result<WriteResult>) {
        let Self { reply: caller, mut trace, .. } = self;
        if let (Some(trace), Err(_)) = (&mut trace, &reply) {
            trace.fail();
        }
        // The phase ends before its request does.
        drop(trace);
        drop(caller.send(reply));
    }
}

impl Weight for Entry {
    fn bytes(&self) -> usize {
        self.record.text.len() + self.record.texts.len()
    }
}

/// The records of one tenant within a group, and the head to which they are linked.
#[derive(Debug)]
struct TenantBatch {
    tenant: TenantId,
    /// The cached head.
    head: Head,
    slots: Vec<RecordSlot>,
}

/// A record, and later records with the same idempotency key, whose callers receive the result of the
/// first.
#[derive(Debug)]
struct RecordSlot {
    first: Entry,
    repeats: Vec<Entry>,
}

impl TenantBatch {
    /// Creates a batch of `entries`. Entries that were evaluated before the newest activation seen by any
    /// of them are answered immediately as outdated.
    fn new(tenant: TenantId, entries: Vec<Entry>, cached: Option<&Head>) -> Self {
        let newest = entries.iter().map(|entry| entry.record.activations).max().unwrap_or_default();
        let mut slots: Vec<RecordSlot> = Vec::with_capacity(entries.len());
        let mut by_key: HashMap<String, usize> = HashMap::with_capacity(entries.len());
        for entry in entries {
            if entry.record.activations < newest {
                entry.respond(Ok(WriteResult::Outdated { activations: newest }));
            } else if let Some(index) = by_key.get(&entry.record.idempotency_key) {
                slots[*index].repeats.push(entry);
            } else {
                by_key.insert(entry.record.idempotency_key.clone(), slots.len());
                slots.push(RecordSlot { first: entry, repeats: Vec::new() });
            }
        }
        let unknown = Head { seq: 0, hash: None, activations: newest };
        let head = Head { activations: newest, ..cached.cloned().unwrap_or(unknown) };
        Self { tenant, head, slots }
    }

    /// Returns whether all callers have received a response.
    fn is_complete(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the number of unwritten records.
    fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the idempotency keys of the unwritten records.
    fn keys(&self) -> Vec<String> {
        self.slots.iter().map(|slot| slot.first.record.idempotency_key.clone()).collect()
    }

    /// Links the unwritten records to the head.
    fn link(&self) -> Result<LinkedBatch<'_>> {
        let records = self.slots.iter().map(|slot| &slot.first.record);
        LinkedBatch::new(self.tenant, &self.head, records)
    }

    /// Responds that all records were stored, and moves the head to `head`.
    fn mark_recorded(&mut self, head: Head) {
        self.head = head;
        for RecordSlot { first: Entry { record, reply, trace }, repeats } in self.slots.drain(..) {
            // The phase ends before its request does.
            drop(trace);
            let stored = StoredRecord::from(record);
            for repeat in repeats {
                repeat.respond(Ok(WriteResult::Stored(stored.clone())));
            }
            drop(reply.send(Ok(WriteResult::Stored(stored))));
        }
    }

    /// Prepares a retry from `head`: responds to records that are `known` under their keys or whose evaluation is
    /// outdated, and keeps the others.
    fn retry_from(&mut self, head: Head, mut known: HashMap<String, StoredRecord>) {
        let mut open = Vec::new();
        for slot in self.slots.drain(..) {
            match known.remove(&slot.first.record.idempotency_key) {
                Some(stored) => slot.entries().for_each(|entry| {
                    entry.respond(Ok(WriteResult::Stored(stored.clone())));
                }),
                None if head.activations == self.head.activations => open.push(slot),
                None => slot.entries().for_each(|entry| {
                    entry.respond(Ok(WriteResult::Outdated { activations: head.activations }));
                }),
            }
        }
        self.slots = open;
        self.head = head;
    }

    /// Responds with `error` to all remaining callers. The records were refused, or it is unknown whether
    /// they were written.
    fn fail_all(self, error: &Error) {
        self.into_entries().for_each(|entry| entry.respond(Err(error.clone_for_waiter())));
    }

    /// Returns the remaining entries in order.
    fn into_entries(self) -> impl Iterator<Item = Entry> {
        self.slots.into_iter().flat_map(RecordSlot::entries)
    }
}

impl RecordSlot {
    fn entries(self) -> impl Iterator<Item = Entry> {
        std::iter::once(self.first).chain(self.repeats)
    }
}
