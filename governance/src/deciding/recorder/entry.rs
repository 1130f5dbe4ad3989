//! A record on its way through the recorder.

use contract::evaluation::Signature;
use tokio::sync::oneshot;

use super::{queue::Weight, trace::RecordTrace};
use crate::base::{audit_event::PendingEvent, prelude::*};

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

impl From<Record> for StoredRecord {
    fn from(record: Record) -> Self {
        Self { id: record.id, request_digest: record.request_digest, record: record.text }
    }
}

/// A queued record and the channel to its caller.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) record: Record,
    pub(super) reply: oneshot::Sender<Result<WriteResult>>,
    pub(super) trace: Option<RecordTrace>,
}

impl Entry {
    /// Sends the result to the caller, if it is still connected.
    pub(super) fn respond(self, reply: Result<WriteResult>) {
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
