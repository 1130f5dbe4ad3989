//! The recorder: decisions are written in groups, so that many share one transaction, one round trip
//! and one wait for the disk.
//!
//! Whoever asks for a record and finds that nobody is writing becomes the first to: there is no timer,
//! and when the service is idle nobody waits. What arrives meanwhile is the next group. Groups are
//! written by tasks of their own, so that a caller who leaves takes nobody along.

mod call;
mod group;
mod queue;
mod share;

use std::sync::{Mutex, MutexGuard, PoisonError};

use ::receipt::statement::ChainPosition;
use contract::{
    evaluation::Verdict,
    id::{DecisionId, PolicyId, SnapshotId, TenantId},
    time::Timestamp,
};
use moka::sync::Cache;
use tokio::sync::oneshot;

use self::queue::{Limits, Load, Queue, Taken, Weigh};
pub(crate) use self::{call::Recorded, group::within};
use crate::{
    Governance,
    audit::Unlinked,
    error::{Error, Result},
    tenancy::Head,
};

/// At most so much waits: more is refused, with the advice to come again. At the rate that the service
/// must keep it waits for a second.
const WAITING_MAX: Load = Load { entries: 4_096, bytes: 64 << 20 };

/// At most so much shares a transaction: beyond it a group costs its members more than it saves.
const GROUP_MAX: Load = Load { entries: 64, bytes: 4 << 20 };

/// At most so many groups are written at a time. One tenant has one at most, and on few cores more
/// writers only make the groups smaller.
const WRITERS_MAX: usize = 3;

/// For how many tenants the head is remembered.
const HEADS_KEPT: u64 = 10_000;

/// A decision with its receipt and its event, as the columns of its rows.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) tenant_id: TenantId,
    pub(crate) id: DecisionId,
    /// The activation counter that it was decided at.
    pub(crate) activations: i64,
    pub(crate) idempotency_key: String,
    pub(crate) request_digest: String,
    pub(crate) decision_type: String,
    pub(crate) decision: Verdict,
    pub(crate) correlation_id: String,
    pub(crate) policy_id: PolicyId,
    pub(crate) policy_version: i32,
    pub(crate) snapshot_id: SnapshotId,
    pub(crate) actor_id: Option<String>,
    pub(crate) policy_ids: Vec<PolicyId>,
    pub(crate) rule_codes: Vec<String>,
    pub(crate) recorded_at: Timestamp,
    /// The answer, byte for byte.
    pub(crate) text: String,
    pub(crate) context: String,
    pub(crate) integrity: String,
    pub(crate) statement: String,
    pub(crate) receipt_digest: String,
    /// The signature and its key.
    pub(crate) signature: Option<(String, String)>,
    /// Its link, when it is of a chain: then it is written by [`within`], and never queued.
    pub(crate) link: Option<Link>,
    pub(crate) event: Unlinked,
}

/// The link of a record, as the columns of its row.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) stated: ChainPosition,
    pub(crate) decision_id: DecisionId,
    pub(crate) position: u32,
    pub(crate) text: String,
    pub(crate) hash: String,
    /// The hash before; empty at the start.
    pub(crate) prev: String,
    /// The signature and its key.
    pub(crate) signature: Option<(String, String)>,
}

/// What became of a record.
#[derive(Debug)]
pub(crate) enum Reply {
    /// It is stored; this is its text.
    Recorded(String),
    /// Its key was used before.
    Known(Stored),
    /// A policy was activated after it was decided: it must be decided again, at this count.
    Outdated {
        /// The activation counter.
        activations: i64,
    },
}

/// What is stored under an idempotency key.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) id: DecisionId,
    pub(crate) request_digest: String,
    pub(crate) record: String,
}

/// A record that waits, and who waits for it.
#[derive(Debug)]
struct Entry {
    record: Record,
    reply: oneshot::Sender<Result<Reply>>,
}

impl Entry {
    /// Tells whoever waits. Nobody does when the caller has left.
    fn tell(self, reply: Result<Reply>) {
        drop(self.reply.send(reply));
    }
}

impl Weigh for Entry {
    fn bytes(&self) -> usize {
        let record = &self.record;
        let texts = [&record.text, &record.context, &record.integrity, &record.statement];
        texts.iter().map(|text| text.len()).sum()
    }
}

/// The recorder of a process.
#[derive(Debug)]
pub(crate) struct Recorder {
    queue: Mutex<Queue<Entry>>,
    /// Where each tenant's log ended when this process last wrote to it. It may have moved since then:
    /// the database compares.
    heads: Cache<TenantId, Head>,
}

impl Default for Recorder {
    fn default() -> Self {
        let limits = Limits { waiting: WAITING_MAX, group: GROUP_MAX, writers: WRITERS_MAX };
        Self { queue: Mutex::new(Queue::new(limits)), heads: Cache::new(HEADS_KEPT) }
    }
}

impl Recorder {
    /// No method of the queue panics half way, so it is whole even if a thread did.
    fn queue(&self) -> MutexGuard<'_, Queue<Entry>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has `record` written with the next group.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when too many wait, or when the store went away: whether the record was
/// written is then not known, and its key must be looked up.
pub(crate) async fn write(governance: &Governance, record: Record) -> Result<Reply> {
    let (reply, answer) = oneshot::channel();
    let tenant = record.tenant_id;
    let taken = governance.recorder().queue().enter(tenant, Entry { record, reply });
    match taken.map_err(|_| Error::overloaded("too many records wait to be written"))? {
        Taken::Waits => {}
        Taken::Leads => drop(tokio::spawn(lead(governance.clone()))),
    }
    answer.await.unwrap_or_else(|_| Err(Error::overloaded("a group ended without an answer")))
}

/// Writes groups for as long as somebody waits.
async fn lead(governance: Governance) {
    loop {
        let Some(group) = governance.recorder().queue().next() else { return };
        let tenants: Vec<TenantId> = group.iter().map(|(tenant, _)| *tenant).collect();
        // A task of its own: should it panic, its callers look their keys up and the queue goes on.
        let writing = tokio::spawn(group::write(governance.clone(), group));
        let held = writing.await.unwrap_or_default();
        governance.recorder().queue().written(&tenants, held);
    }
}
