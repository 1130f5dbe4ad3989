//! The audit log: every change of state writes one event, in its own transaction.

mod checkpoint;
mod list;
mod verify;

pub use checkpoint::Checkpoints;
pub use list::list;
pub use verify::verify;

use contract::{
    id::{EventId, TenantId},
    json::{Number, Object, Value},
    time::Timestamp,
};
use entity::tenant_head::{Column, Entity};
use receipt::{audit as format, digest::Digest};
use sea_orm::QuerySelect;
use uuid::Uuid;

use crate::{
    Governance,
    caller::{Caller, Human, Person},
    cx::Cx,
    database::untenanted,
    error::{Error, Result},
    tenancy::{Head, TenantTx, instant},
};

/// What happened, to which thing.
#[derive(Clone, Debug)]
pub struct Event {
    action: &'static str,
    object_type: &'static str,
    object_id: String,
    /// An object.
    details: Value,
    /// Personal facts, for the side row.
    personal: Object,
}

impl Event {
    /// `action` was done to the thing `object_id`.
    pub fn new(
        action: &'static str,
        object_type: &'static str,
        object_id: impl std::fmt::Display,
    ) -> Self {
        let details = Value::Object(Object::new());
        let (object_id, personal) = (object_id.to_string(), Object::new());
        Self { action, object_type, object_id, details, personal }
    }

    /// The same event with one more fact. Facts are ids, numbers and codes: never a name, an address
    /// or free text, because an event cannot be erased (receipts, section 14).
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Value::Object(facts) = &mut self.details {
            facts.insert(name, value.into());
        }
        self
    }

    /// The same event with one more personal fact, such as a network address: it is stored in the side row
    /// only and can be erased.
    #[must_use]
    pub(crate) fn with_personal(mut self, name: &str, value: Option<&str>) -> Self {
        if let Some(value) = value {
            self.personal.insert(name, value);
        }
        self
    }
}

// SQL, as the next one: runs for every act, while the tenant's head is held.
const INSERT_EVENT: &str = "INSERT INTO audit_events (tenant_id, seq, event_id, occurred_at, action, \
     actor_type, actor_id, object_type, object_id, event, hash, prev) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";

const INSERT_PERSONAL: &str =
    "INSERT INTO audit_personal (tenant_id, seq, personal) VALUES ($1, $2, $3)";

/// Appends `event` after `head`, and moves `head` to it.
pub(crate) async fn append(tx: &TenantTx, cx: &Cx, head: &mut Head, event: Event) -> Result<()> {
    let unlinked = Unlinked::new(cx, tx.tenant_id(), event);
    let linked = unlinked.link(head)?;
    let row = [
        linked.seq.into(),
        unlinked.event_id.0.into(),
        instant(unlinked.occurred_at),
        unlinked.event.action.into(),
        unlinked.actor_type.into(),
        unlinked.actor_id.into(),
        unlinked.event.object_type.into(),
        unlinked.event.object_id.into(),
        linked.text.into(),
        linked.hash.into(),
        linked.prev.into(),
    ];
    tx.execute(INSERT_EVENT, row).await?;
    if let Some(personal) = unlinked.personal {
        tx.execute(INSERT_PERSONAL, [linked.seq.into(), personal.side_row.into()]).await?;
    }
    Ok(())
}

/// The number of the last event of every tenant. Outside row security, for it is read before a tenant is
/// chosen.
pub(crate) async fn heads(governance: &Governance) -> Result<Vec<(TenantId, i64)>> {
    let heads = untenanted::<Entity>()
        .select_only()
        .columns([Column::TenantId, Column::AuditSeq])
        .into_tuple::<(Uuid, i64)>()
        .all(governance.database())
        .await?;
    Ok(heads.into_iter().map(|(tenant, seq)| (TenantId(tenant), seq)).collect())
}

/// An event whose place in the tenant's log is still open.
#[derive(Debug)]
pub(crate) struct Unlinked {
    tenant_id: TenantId,
    /// Its id.
    pub(crate) event_id: EventId,
    occurred_at: Timestamp,
    event: Event,
    /// The kind of actor.
    pub(crate) actor_type: &'static str,
    /// Who it was.
    pub(crate) actor_id: String,
    personal: Option<Personal>,
}

/// What an event is once it has its place: to be stored as it is.
#[derive(Debug)]
pub(crate) struct Linked {
    /// Its number.
    pub(crate) seq: i64,
    /// The hashed object.
    pub(crate) text: String,
    /// Its hash.
    pub(crate) hash: String,
    /// The hash before; empty at the start.
    pub(crate) prev: String,
}

impl Unlinked {
    /// The event of an act of the operation's caller.
    pub(crate) fn new(cx: &Cx, tenant_id: TenantId, event: Event) -> Self {
        let chance = cx.governance.chance();
        let (actor_type, actor_id) = actor(&cx.caller);
        let event_id = chance.id();
        let personal = personal(&cx.caller, &event.personal, &chance.bytes());
        Self { tenant_id, event_id, occurred_at: cx.now, event, actor_type, actor_id, personal }
    }

    /// The erasable side row, if the actor has a name.
    pub(crate) fn side_row(&self) -> Option<&str> {
        self.personal.as_ref().map(|personal| personal.side_row.as_str())
    }

    /// The event in its place after `head`; moves `head` to it.
    pub(crate) fn link(&self, head: &mut Head) -> Result<Linked> {
        let seq = head.seq.saturating_add(1);
        let details = &self.event.details;
        let canonical = format::event(&format::AuditEvent {
            tenant_id: self.tenant_id,
            seq: sequence_number(seq)?,
            event_id: self.event_id,
            occurred_at: self.occurred_at,
            action: self.event.action,
            actor: format::Party { kind: self.actor_type, id: &self.actor_id },
            object: format::Party { kind: self.event.object_type, id: &self.event.object_id },
            details: details.as_object().filter(|facts| !facts.is_empty()).map(|_| details),
            personal_digest: self.personal.as_ref().map(|personal| personal.digest),
            prev: previous(head)?,
        });
        let hash = canonical.digest.to_string();
        let prev = std::mem::replace(&mut head.hash, hash.clone());
        head.seq = seq;
        Ok(Linked { seq, text: canonical.text, hash, prev })
    }
}

/// The number as the tree holds it: exact up to 2^53 - 1, which no tenant will reach.
#[expect(clippy::cast_precision_loss, reason = "Number refuses what a double cannot hold")]
fn sequence_number(seq: i64) -> Result<Number> {
    Number::new(seq as f64).ok_or_else(|| Error::bug("the audit sequence is used up"))
}

fn previous(head: &Head) -> Result<Option<Digest>> {
    if head.hash.is_empty() {
        return Ok(None);
    }
    head.hash.parse().map(Some).map_err(|_| Error::bug("the head row holds no digest"))
}

/// Type and id of the actor as the log names them (contract, section 7).
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
    }
}

/// The erasable side row of an event, and the digest that binds it.
#[derive(Debug)]
struct Personal {
    side_row: String,
    digest: Digest,
}

/// What names the actor for people, and further personal facts: stored beside the event, never inside.
fn personal(caller: &Caller, facts: &Object, salt: &[u8; 16]) -> Option<Personal> {
    let mut data = match caller {
        Caller::Key(key) => Object::from([("key_name", Value::from(key.name.as_str()))]),
        Caller::OperatorKey(key) => Object::from([("key_name", Value::from(key.name.as_str()))]),
        Caller::Human(Human { email, .. }) | Caller::Person(Person { email, .. }) => {
            Object::from([("email", Value::from(email.as_str()))])
        }
        Caller::Public | Caller::Operator if facts.is_empty() => return None,
        Caller::Public | Caller::Operator => Object::new(),
    };
    for (name, value) in facts {
        data.insert(name, value.clone());
    }
    let data = Value::Object(data);
    let digest = format::personal_digest(salt, &data);
    let side_row = Object::from([("salt", Value::from(hex::encode(salt))), ("data", data)]);
    Some(Personal { side_row: Value::from(side_row).to_canonical(), digest })
}
