//! The audit log: what it lists, and what a check of it answers (contract, section 7; receipts,
//! section 14).

use serde::{Deserialize, Serialize};

use crate::{
    id::EventId,
    json::{Number, Value},
    read::{At, Errors, Members, Read, schema},
    time::Timestamp,
};

/// Which events a list holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// What was done, such as `policy_version.ratify`.
    pub action: Option<String>,
    /// Who did it.
    pub actor_id: Option<String>,
    /// The address of whoever did it, in any case, as long as it is not erased.
    pub actor_email: Option<String>,
    /// What kind of thing it was done to.
    pub object_type: Option<String>,
    /// To which thing.
    pub object_id: Option<String>,
    /// The earliest instant, inclusive.
    pub from: Option<Timestamp>,
    /// The latest instant, inclusive.
    pub to: Option<Timestamp>,
}

/// One event of the audit log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditItem {
    /// Its place in the tenant's chain: 1, 2, 3, … without gaps.
    pub seq: i64,
    /// Its id.
    pub event_id: EventId,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// What was done.
    pub action: String,
    /// Who did it.
    pub actor: AuditActor,
    /// The address of the person who did it; absent for what is no person, and when erased.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor_email: Option<String>,
    /// To what.
    pub object: AuditObject,
    /// Further facts: ids, numbers and codes. Empty when there are none.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub details: Value,
    /// SHA-256 of the canonical text of `event`.
    pub hash: String,
    /// The hash of the event before; absent at the first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub prev_hash: Option<String>,
    /// The hashed object, from the stored bytes. Bytes that no longer are JSON stand here as text.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub event: Value,
    /// What of a person stands beside the event: `{"salt", "data"}`, bound by its
    /// `personal_digest`. Absent when there is nothing, or when it was erased.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub personal: Option<Value>,
}

/// Who did it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditActor {
    /// `human`, `api_key`, `capability` or `system`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The person, the key, or what part of the system.
    pub id: String,
    /// The person's address; absent when erased.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub email: Option<String>,
    /// The key's name; absent when erased.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub key_name: Option<String>,
}

/// What it was done to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditObject {
    /// Its kind, such as `policy_version`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Which one.
    pub id: String,
}

/// The body of `POST /v1/audit-log/verify`: which events to check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditRange {
    /// The first one; the first of all when absent.
    pub from_seq: Option<i64>,
    /// The last one; the last of all when absent.
    pub to_seq: Option<i64>,
}

impl Read for AuditRange {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let from_seq = members.optional("from_seq", seq);
        let to_seq = members.optional("to_seq", seq);
        if let (Some(from), Some(to)) = (from_seq, to_seq)
            && from > to
        {
            members.refuse("from_seq", "order", "must not be greater than `to_seq`");
        }
        members.finish()?;
        Some(Self { from_seq, to_seq })
    }
}

/// The number of an event.
fn seq(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<i64> {
    if errors.describes(|| schema::whole(1.into(), Number::new(Number::MAX).unwrap_or_default())) {
        return None;
    }
    let whole = match value {
        Value::Number(number) => Number::as_i64(*number),
        _ => None,
    };
    let seq = whole.filter(|seq| *seq >= 1);
    if seq.is_none() {
        errors.push(at, "range", "must be a whole number from 1");
    }
    seq
}

/// What a check of the audit log found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditReport {
    /// How the log is.
    pub status: AuditStatus,
    /// How many events were checked, up to the first that is not as it was written.
    pub checked: i64,
    /// Where the log first differs; absent when it is intact.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_divergence: Option<AuditDivergence>,
    /// The end of the chain, as the tenant's head row has it.
    pub head: AuditHead,
    /// The last checkpoint; absent before the first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_checkpoint: Option<AuditCheckpoint>,
    /// How many events came after the last checkpoint: nothing shows yet whether more were cut off.
    pub unanchored_tail: i64,
}

/// How an audit log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AuditStatus {
    /// Everything agrees.
    Intact,
    /// A hash, a predecessor, a number, a column or a checkpoint differs.
    Tampered,
    /// A checkpoint lies beyond the last event.
    Truncated,
    /// Two events share a number or a predecessor.
    Forked,
    /// Stored bytes are not JSON.
    Unreadable,
}

impl AuditStatus {
    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Intact => "intact",
            Self::Tampered => "tampered",
            Self::Truncated => "truncated",
            Self::Forked => "forked",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Where a log first differs from what was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditDivergence {
    /// The event; one that is missing, too.
    pub seq: i64,
    /// `hash`, `prev`, `seq`, `columns`, `canonical` or `checkpoint`; for unreadable bytes the
    /// reader's code, such as `JSON_SYNTAX`.
    pub kind: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there; `absent` for what is missing.
    pub actual: String,
}

/// The end of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditHead {
    /// The number of the last event; 0 before the first.
    pub seq: i64,
    /// Its hash; empty before the first.
    pub hash: String,
}

/// A checkpoint of the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditCheckpoint {
    /// The last event that it covers.
    pub seq: i64,
    /// The hash of that event.
    pub hash: String,
    /// Its place in the transparency log; absent until it is there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub log_index: Option<i64>,
}
