//! The audit log: filters, events and verification results (contract, section 7; receipts, section 14).

use crate::{
    filter::ListFilter,
    id::EventId,
    json::Value,
    read::{ObjectReader, positive_integer},
    time::Timestamp,
};

/// A filter of audit events.
#[derive(Clone, Debug, Default, PartialEq, Eq, ListFilter)]
pub struct AuditFilter {
    /// Only events with this action, such as `policy_version.ratify`.
    #[filter(max = 100)]
    pub action: Option<String>,
    /// Only events of this user or key.
    #[filter(page = "actor", max = 255)]
    pub actor_id: Option<String>,
    /// Only events of the user with this address, in any case; erased addresses do not match.
    #[filter(page = "email", max = 320)]
    pub actor_email: Option<String>,
    /// Only events of this type of object, such as `policy_version`.
    #[filter(page = "kind", max = 100)]
    pub object_type: Option<String>,
    /// Only events of the object with this ID.
    #[filter(page = "object", max = 255)]
    pub object_id: Option<String>,
    /// Start of the time range, RFC 3339, inclusive.
    #[filter(from)]
    pub from: Option<Timestamp>,
    /// End of the time range, RFC 3339, inclusive.
    #[filter(to)]
    pub to: Option<Timestamp>,
}

/// An event of the audit log.
#[wire]
pub struct AuditItem {
    /// The sequence number in the audit log of the tenant: 1, 2, 3, … without gaps.
    pub seq: i64,
    /// The ID of the event.
    pub event_id: EventId,
    /// The time of the event.
    pub occurred_at: Timestamp,
    /// The action.
    pub action: String,
    /// The actor.
    pub actor: AuditActor,
    /// The email address of the actor; absent if the actor is not a user, or if it was erased.
    pub actor_email: Option<String>,
    /// The object of the action.
    pub object: AuditObject,
    /// Further facts: IDs, numbers and codes. Empty if there are none.
    pub details: Value,
    /// The SHA-256 digest of the canonical text of `event`.
    pub hash: String,
    /// The hash of the previous event; absent for the first event.
    pub prev_hash: Option<String>,
    /// The stored object that is hashed. Bytes that are no longer valid JSON are returned as a string.
    pub event: Value,
    /// The personal data of the event: `{"salt", "data"}`, bound by its `personal_digest`. Absent if there is
    /// none, or if it was erased.
    pub personal: Option<Value>,
}

/// The actor of an audit event.
#[wire(Eq)]
pub struct AuditActor {
    /// The type of the actor: `human`, `api_key`, `capability` or `system`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The ID of the user or API key, or the name of the system component.
    pub id: String,
    /// The email address of the user; absent if erased.
    pub email: Option<String>,
    /// The name of the API key; absent if erased.
    pub key_name: Option<String>,
}

/// The object of an audit event.
#[wire(Eq)]
pub struct AuditObject {
    /// The type of the object, such as `policy_version`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The ID of the object.
    pub id: String,
}

/// The body of `POST /v1/audit-log/verify`: the range of events to verify.
#[body(Copy, Default, Eq)]
#[json(check = check_order(from_seq, to_seq))]
pub struct AuditRange {
    /// The first event; absent means the first event of the log.
    #[json(with = positive_integer)]
    pub from_seq: Option<i64>,
    /// The last event; absent means the last event of the log.
    #[json(with = positive_integer)]
    pub to_seq: Option<i64>,
}

/// Requires that a range does not end before it starts.
fn check_order(members: &mut ObjectReader<'_, '_>, from: Option<i64>, to: Option<i64>) {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        members.add_error("from_seq", "order", "must be at most `to_seq`");
    }
}

/// The result of an audit log verification.
#[wire(Eq)]
pub struct AuditReport {
    /// The status of the log.
    pub status: AuditStatus,
    /// The number of verified events, up to and including the first divergence.
    pub checked: i64,
    /// The first divergence; absent if the log is intact.
    pub first_divergence: Option<AuditDivergence>,
    /// The end of the audit log, as stored in the tenant head.
    pub head: AuditHead,
    /// The last checkpoint; absent before the first checkpoint.
    pub last_checkpoint: Option<AuditCheckpoint>,
    /// The number of events after the last checkpoint. The removal of events after the last checkpoint cannot
    /// be detected yet.
    pub unanchored_tail: i64,
}

string_enum! {
    /// The status of an audit log.
    pub enum AuditStatus {
        /// The log is consistent.
        Intact = "intact",
        /// A hash, predecessor, number, column or checkpoint differs.
        Tampered = "tampered",
        /// A checkpoint covers events after the last stored event.
        Truncated = "truncated",
        /// Two events have the same number or predecessor.
        Forked = "forked",
        /// Stored bytes are not valid JSON.
        Unreadable = "unreadable",
    }
}

/// The first event that fails verification.
#[wire(Eq)]
pub struct AuditDivergence {
    /// The sequence number of the event, which can be missing.
    pub seq: i64,
    /// The kind of divergence: `hash`, `prev`, `seq`, `columns`, `canonical` or `checkpoint`. For unreadable
    /// bytes, the code of the parse error, such as `JSON_SYNTAX`.
    pub kind: String,
    /// The expected value.
    pub expected: String,
    /// The stored value; `absent` if it is missing.
    pub actual: String,
}

/// The end of an audit log.
#[wire(Eq)]
pub struct AuditHead {
    /// The sequence number of the last event; 0 if there is none.
    pub seq: i64,
    /// The hash of the last event; empty if there is none.
    pub hash: String,
}

/// A signed checkpoint of the audit log.
#[wire(Eq)]
pub struct AuditCheckpoint {
    /// The sequence number of the last event that the checkpoint covers.
    pub seq: i64,
    /// The hash of that event.
    pub hash: String,
    /// The index in the transparency log; absent until the checkpoint is anchored.
    pub log_index: Option<i64>,
}
