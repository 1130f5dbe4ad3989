//! Events of the audit log, and digests that bind personal data without holding them (receipts,
//! sections 9.1 and 14).

use contract::{
    id::{EventId, TenantId},
    json::{Number, Value},
    time::Timestamp,
};

use crate::{
    canon::{Canonical, Members},
    digest::Digest,
};

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
    Members::schema("service-audit-event/v1")
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
    let personal = Members::schema("service-audit-personal/v1");
    personal.with("salt", hex::encode(salt)).with("data", data).canonical().digest
}

/// Binds an e-mail address, without regard to case, by a salt of the tenant that is not published.
pub fn email_digest(salt: &[u8], email: &str) -> Digest {
    let bound = Members::schema("service-email/v1");
    bound.with("salt", hex::encode(salt)).with("email", email.to_lowercase()).canonical().digest
}
