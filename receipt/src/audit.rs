//! Events of the audit log and its checkpoints, digests that bind personal data without holding them,
//! and the check of a stored log (receipts, sections 9.1 and 14).

pub mod verify;

use contract::{
    id::{EventId, TenantId},
    json::{Number, Value},
    time::Timestamp,
};

use crate::{
    canon::{Canonical, Members},
    digest::Digest,
};

/// The `schema` of an event.
const EVENT: &str = "service-audit-event/v1";

/// The `schema` of what stands beside an event.
const PERSONAL: &str = "service-audit-personal/v1";

/// How many events a checkpoint covers at the most.
pub const CHECKPOINT_EVERY: i64 = 256;

/// One event. No names, addresses, key names or user agents stand in it, `details` included: they
/// are personal data, which [`personal_digest`] binds and which can be erased.
#[derive(Clone, Copy, Debug)]
pub struct AuditEvent<'a> {
    /// Whose log it is.
    pub tenant_id: TenantId,
    /// Its number: 1, 2, 3, … without gaps.
    pub seq: Number,
    /// Its id.
    pub event_id: EventId,
    /// When it happened.
    pub occurred_at: Timestamp,
    /// What was done, such as `policy.version.ratify`.
    pub action: &'a str,
    /// Who did it.
    pub actor: Party<'a>,
    /// To what.
    pub object: Party<'a>,
    /// Further facts.
    pub details: Option<&'a Value>,
    /// Binds the personal data of the event.
    pub personal_digest: Option<Digest>,
    /// Hash of the event before; absent at 1.
    pub prev: Option<Digest>,
}

/// An actor or an object of an event.
#[derive(Clone, Copy, Debug)]
pub struct Party<'a> {
    /// What it is, such as `user` or `policy_version`.
    pub kind: &'a str,
    /// Which one.
    pub id: &'a str,
}

/// The event as it is hashed and stored.
pub fn event(event: &AuditEvent<'_>) -> Canonical {
    Members::schema(EVENT)
        .with("tenant_id", event.tenant_id.to_string())
        .with("seq", event.seq)
        .with("event_id", event.event_id.to_string())
        .with("occurred_at", event.occurred_at.to_string())
        .with("action", event.action)
        .with("actor", party(event.actor))
        .with("object", party(event.object))
        .maybe("details", event.details)
        .maybe("personal_digest", event.personal_digest)
        .maybe("prev", event.prev)
        .canonical()
}

fn party(party: Party<'_>) -> Members<'_> {
    Members::default().with("type", party.kind).with("id", party.id)
}

/// Binds the personal data of an event. With the salt they can be shown, without it not be guessed.
pub fn personal_digest(salt: &[u8], data: &Value) -> Digest {
    let personal = Members::schema(PERSONAL);
    personal.with("salt", hex::encode(salt)).with("data", data).canonical().digest
}

/// Binds an e-mail address, without regard to case, by a salt of the tenant that is not published.
pub fn email_digest(salt: &[u8], email: &str) -> Digest {
    let bound = Members::schema("service-email/v1");
    bound.with("salt", hex::encode(salt)).with("email", email.to_lowercase()).canonical().digest
}

/// One checkpoint: the end of a tenant's chain at some moment. It does not say whose.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    /// Stands for the tenant; see [`tenant_tag`].
    pub tenant_tag: Digest,
    /// The number of the last event that it covers.
    pub seq: Number,
    /// The hash of that event.
    pub hash: Digest,
    /// How many events there are up to it.
    pub count: Number,
}

/// The checkpoint as it is hashed. Its digest goes into the transparency log.
pub fn checkpoint(checkpoint: &Checkpoint) -> Canonical {
    Members::schema("service-audit-checkpoint/v1")
        .with("tenant_tag", checkpoint.tenant_tag)
        .with("seq", checkpoint.seq)
        .with("hash", checkpoint.hash)
        .with("count", checkpoint.count)
        .canonical()
}

/// Stands for a tenant where nobody is to learn which one: with the tenant's salt it can be shown,
/// without it not be guessed.
pub fn tenant_tag(tenant_id: TenantId, salt: &[u8]) -> Digest {
    let tag = Members::schema("service-tenant-tag/v1");
    tag.with("tenant_id", tenant_id.to_string()).with("salt", hex::encode(salt)).canonical().digest
}
