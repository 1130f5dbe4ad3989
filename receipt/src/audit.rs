//! Audit events, audit checkpoints, digests that bind personal data without containing it, and the
//! verification of a stored audit log (receipts, sections 9.1 and 14).

pub mod verify;

use contract::{
    id::{EventId, TenantId},
    json::{Number, Value},
    time::Timestamp,
};

use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
};

/// The `schema` of an event.
const EVENT: &str = "service-audit-event/v1";

/// The `schema` of the personal data of an event.
const PERSONAL: &str = "service-audit-personal/v1";

/// The maximum number of events that a checkpoint covers.
pub const CHECKPOINT_EVERY: i64 = 256;

/// One audit event.
///
/// It contains no names, addresses, key names or user agents; this includes `details`. These are
/// personal data, which is stored separately so that it can be erased. [`personal_digest`] binds
/// it.
#[derive(Clone, Copy, Debug)]
pub struct AuditEvent<'a> {
    /// The tenant that owns the audit log.
    pub tenant_id: TenantId,
    /// The sequence number: 1, 2, 3, … without gaps.
    pub seq: Number,
    /// The ID of the event.
    pub event_id: EventId,
    /// The time of the action.
    pub occurred_at: Timestamp,
    /// The action, such as `policy.version.ratify`.
    pub action: &'a str,
    /// The user, key or process that performed the action.
    pub actor: EntityRef<'a>,
    /// The object of the action.
    pub object: EntityRef<'a>,
    /// Further facts about the action.
    pub details: Option<&'a Value>,
    /// Digest of the personal data of the event.
    pub personal_digest: Option<Digest>,
    /// Hash of the previous event; absent at 1.
    pub prev: Option<Digest>,
}

/// The actor or the object of an event.
#[derive(Clone, Copy, Debug)]
pub struct EntityRef<'a> {
    /// The type, such as `user` or `policy_version`.
    pub kind: &'a str,
    /// The ID of the actor or object.
    pub id: &'a str,
}

/// Returns the canonical JSON of an event, as it is hashed and stored.
pub fn event(event: &AuditEvent<'_>) -> CanonicalJson {
    ObjectBuilder::with_schema(EVENT)
        .member("tenant_id", event.tenant_id.to_string())
        .member("seq", event.seq)
        .member("event_id", event.event_id.to_string())
        .member("occurred_at", event.occurred_at.to_string())
        .member("action", event.action)
        .member("actor", entity_ref(event.actor))
        .member("object", entity_ref(event.object))
        .optional("details", event.details)
        .optional("personal_digest", event.personal_digest)
        .optional("prev", event.prev)
        .canonical()
}

fn entity_ref(entity: EntityRef<'_>) -> ObjectBuilder<'_> {
    ObjectBuilder::default().member("type", entity.kind).member("id", entity.id)
}

/// Returns the digest that binds the personal data of an event. The data can be proven with the
/// salt and cannot be guessed without it.
pub fn personal_digest(salt: &[u8], data: &Value) -> Digest {
    let personal = ObjectBuilder::with_schema(PERSONAL);
    personal.member("salt", hex::encode(salt)).member("data", data).canonical().digest
}

/// Returns a digest of an email address, ignoring case. `salt` belongs to the tenant and is not
/// published.
pub fn email_digest(salt: &[u8], email: &str) -> Digest {
    let members = ObjectBuilder::with_schema("service-email/v1");
    members
        .member("salt", hex::encode(salt))
        .member("email", email.to_lowercase())
        .canonical()
        .digest
}

/// A commitment to a tenant's audit log up to an event. It does not reveal the tenant.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    /// A pseudonym of the tenant; see [`tenant_tag`].
    pub tenant_tag: Digest,
    /// The sequence number of the last event covered.
    pub seq: Number,
    /// The hash of that event.
    pub hash: Digest,
    /// The number of events up to and including it.
    pub count: Number,
}

/// Returns the canonical JSON of a checkpoint. Its digest is appended to the transparency log.
pub fn checkpoint(checkpoint: &Checkpoint) -> CanonicalJson {
    ObjectBuilder::with_schema("service-audit-checkpoint/v1")
        .member("tenant_tag", checkpoint.tenant_tag)
        .member("seq", checkpoint.seq)
        .member("hash", checkpoint.hash)
        .member("count", checkpoint.count)
        .canonical()
}

/// Returns a pseudonym for a tenant. The tenant can be proven with `salt` and cannot be guessed
/// without it.
pub fn tenant_tag(tenant_id: TenantId, salt: &[u8]) -> Digest {
    let tag = ObjectBuilder::with_schema("service-tenant-tag/v1");
    tag.member("tenant_id", tenant_id.to_string())
        .member("salt", hex::encode(salt))
        .canonical()
        .digest
}
