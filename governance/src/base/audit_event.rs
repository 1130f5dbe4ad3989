//! The audit event of a change, and its position in the tenant's audit log.

use contract::{
    id::{EventId, TenantId},
    json::{Number, Object, Value},
    time::Timestamp,
};
use receipt::{audit as format, digest::Digest};

use crate::base::{
    caller::{ApiKeyCaller, Caller, Human, OperatorKey, Person},
    cx::Cx,
    error::{OrBug, Result},
    stored_digest,
};

/// An audit event: an action of `governance/audit_actions.txt`, and the object it was performed on.
#[derive(Clone, Debug)]
pub struct Event {
    action: &'static str,
    object_type: &'static str,
    object_id: String,
    details: Object,
    /// Personal data, stored in the personal row.
    personal: Object,
}

impl Event {
    pub fn new(
        action: &'static str,
        object_type: &'static str,
        object_id: impl std::fmt::Display,
    ) -> Self {
        let object_id = object_id.to_string();
        Self { action, object_type, object_id, details: Object::new(), personal: Object::new() }
    }

    /// Adds a fact to the event. Facts are IDs, numbers and codes. They must not contain names, addresses
    /// or free text, because an event cannot be erased (receipts, section 14).
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name, value);
        self
    }

    /// Adds the text of a fact to the event, if there is one.
    #[must_use]
    pub(crate) fn with_some(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(name, value.to_string()),
            None => self,
        }
    }

    /// Adds personal data, such as a network address, to the event. It is stored only in the personal row
    /// and can be erased.
    #[must_use]
    pub(crate) fn with_personal(mut self, name: &str, value: Option<&str>) -> Self {
        if let Some(value) = value {
            self.personal.insert(name, value);
        }
        self
    }
}

/// A tenant's head row. It allocates the tenant's sequence numbers and chains its audit events.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    /// The last allocated sequence number; 0 before the first.
    pub(crate) seq: i64,
    /// The hash of the last audit event; `None` before the first.
    pub(crate) hash: Option<Digest>,
    /// The number of changes of the set of active policies.
    pub(crate) activations: i64,
}

/// An event that has no position in the tenant's log yet.
#[derive(Debug)]
pub(crate) struct PendingEvent {
    tenant_id: TenantId,
    pub(crate) event_id: EventId,
    occurred_at: Timestamp,
    event: Event,
    pub(crate) actor_type: &'static str,
    pub(crate) actor_id: String,
    personal: Option<Personal>,
}

/// An event with its position in the log, as it is stored.
#[derive(Debug)]
pub(crate) struct ChainedEvent {
    pub(crate) seq: i64,
    /// The hashed JSON text.
    pub(crate) text: String,
    /// The hash of `text`.
    pub(crate) hash: Digest,
    /// The hash of the previous event; `None` for the first.
    pub(crate) prev: Option<Digest>,
}

impl PendingEvent {
    pub(crate) fn new(cx: &Cx, tenant_id: TenantId, event: Event) -> Self {
        let entropy = cx.governance.entropy();
        let (actor_type, actor_id) = actor(&cx.caller);
        let event_id = entropy.id();
        let personal = personal(cx, &event.personal, &entropy.bytes());
        Self { tenant_id, event_id, occurred_at: cx.now, event, actor_type, actor_id, personal }
    }

    /// Returns the columns of the event's row except the tenant.
    pub(super) fn row(&self, chained: ChainedEvent) -> [sea_orm::Value; 11] {
        [
            chained.seq.into(),
            self.event_id.0.into(),
            entity::column::to_column(self.occurred_at).into(),
            self.event.action.into(),
            self.actor_type.into(),
            self.actor_id.as_str().into(),
            self.event.object_type.into(),
            self.event.object_id.as_str().into(),
            chained.text.into(),
            stored_digest::to_column(chained.hash).into(),
            stored_digest::to_column(chained.prev).into(),
        ]
    }

    /// Returns the erasable personal row, if the event contains personal data.
    pub(crate) fn personal_row(&self) -> Option<&str> {
        self.personal.as_ref().map(|personal| personal.row.as_str())
    }

    /// Returns the event with its position after `head`, and advances `head`.
    pub(crate) fn link(&self, head: &mut Head) -> Result<ChainedEvent> {
        let seq = head.seq.saturating_add(1);
        let details = &self.event.details;
        let details = (!details.is_empty()).then(|| Value::from(details.clone()));
        let canonical = format::event(&format::AuditEvent {
            tenant_id: self.tenant_id,
            seq: sequence_number(seq)?,
            event_id: self.event_id,
            occurred_at: self.occurred_at,
            action: self.event.action,
            actor: format::EntityRef { kind: self.actor_type, id: &self.actor_id },
            object: format::EntityRef { kind: self.event.object_type, id: &self.event.object_id },
            details: details.as_ref(),
            personal_digest: self.personal.as_ref().map(|personal| personal.digest),
            prev: head.hash,
        });
        let hash = canonical.digest;
        let prev = head.hash.replace(hash);
        head.seq = seq;
        Ok(ChainedEvent { seq, text: canonical.text, hash, prev })
    }
}

/// Converts a sequence number to a JSON number. JSON numbers are exact up to 2^53 - 1, which no tenant
/// reaches.
#[expect(
    clippy::cast_precision_loss,
    reason = "`Number::new` rejects values that a double cannot represent"
)]
fn sequence_number(seq: i64) -> Result<Number> {
    Number::new(seq as f64).or_bug("the audit sequence is used up")
}

/// Returns the type and ID of the actor as written to the log (contract, section 7).
fn actor(caller: &Caller) -> (&'static str, String) {
    match caller {
        Caller::Key(key) => match key.capability.as_deref() {
            Some(Ok(governing)) => ("capability", governing.id.to_string()),
            _ => ("api_key", key.id.to_string()),
        },
        Caller::Human(human) => ("human", human.user_id.to_string()),
        Caller::Person(person) => ("human", person.user_id.to_string()),
        Caller::OperatorKey(key) => ("api_key", key.id.to_string()),
        Caller::Public => ("system", "public".to_owned()),
        Caller::Operator => ("system", "operator".to_owned()),
        Caller::Service => ("system", "service".to_owned()),
    }
}

/// The erasable personal row of an event, and the digest that binds it to the event.
#[derive(Debug)]
struct Personal {
    row: String,
    digest: Digest,
}

/// Returns the personal row: the name or email address of the actor, the correlation ID, which the caller may
/// choose, and additional personal data. It is stored separately from the event.
fn personal(cx: &Cx, facts: &Object, salt: &[u8; 16]) -> Option<Personal> {
    let mut data = match &cx.caller {
        Caller::Key(ApiKeyCaller { name, .. }) | Caller::OperatorKey(OperatorKey { name, .. }) => {
            Object::from([("key_name", Value::from(name.as_str()))])
        }
        Caller::Human(Human { email, .. }) | Caller::Person(Person { email, .. }) => {
            Object::from([("email", Value::from(email.as_str()))])
        }
        Caller::Public | Caller::Operator | Caller::Service if facts.is_empty() => return None,
        Caller::Public | Caller::Operator | Caller::Service => Object::new(),
    };
    data.insert("correlation_id", cx.correlation_id.as_str());
    for (name, value) in facts {
        data.insert(name, value.clone());
    }
    let data = Value::Object(data);
    let digest = format::personal_digest(salt, &data);
    let row = Object::from([("salt", Value::from(hex::encode(salt))), ("data", data)]);
    Some(Personal { row: Value::from(row).to_canonical(), digest })
}
