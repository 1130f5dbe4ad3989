//! Reads a tenant's audit log past the service, and checks every promise of its format (receipts,
//! section 14) with what is stored alone.

use contract::{
    id::TenantId,
    json::{Number, Value},
    time::Timestamp,
};
use receipt::{audit::personal_digest, canonical_json::CanonicalJson};
use serde::Deserialize;

use crate::fixtures::{TestEnv, object, text, value};

/// A row of `audit_events`, with its side row if it has one.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Entry {
    pub(crate) seq: u32,
    event_id: String,
    occurred_at: Timestamp,
    pub(crate) action: String,
    pub(crate) actor_type: String,
    pub(crate) actor_id: String,
    pub(crate) object_type: String,
    pub(crate) object_id: String,
    pub(crate) event: String,
    hash: String,
    prev: String,
    pub(crate) personal: Option<String>,
}

impl Entry {
    /// A member of `details`.
    pub(crate) fn detail(&self, name: &str) -> Option<Value> {
        value(&self.event).get("details")?.get(name).cloned()
    }
}

/// A tenant's log as it is stored.
pub(crate) async fn entries(world: &TestEnv, tenant: TenantId) -> Vec<Entry> {
    let rows = format!(
        "select e.*, p.personal from audit_events e left join audit_personal p using (tenant_id, seq) \
         where e.tenant_id = '{tenant}' order by e.seq"
    );
    world.rows(&rows).await
}

/// The log of a tenant, after a check that it is intact.
pub(crate) async fn intact(world: &TestEnv, tenant: TenantId) -> Vec<Entry> {
    let entries = entries(world, tenant).await;
    let mut prev = String::new();
    for (number, entry) in (1..).zip(&entries) {
        assert_eq!(entry.seq, number, "numbers have no gaps");
        assert_eq!(entry.prev, prev, "{number} follows the event before");
        check(entry, tenant);
        prev.clone_from(&entry.hash);
    }
    let head = format!(
        "select audit_seq || ' ' || audit_hash from tenant_heads where tenant_id = '{tenant}'"
    );
    let head = world.texts(&head).await.concat();
    assert_eq!(head, format!("{} {prev}", entries.len()), "the head is the last event");
    let strays = format!(
        "select p.seq::text from audit_personal p left join audit_events e using (tenant_id, seq) \
         where p.tenant_id = '{tenant}' and e.seq is null"
    );
    assert!(world.texts(&strays).await.is_empty(), "no side row is without its event");
    entries
}

fn check(entry: &Entry, tenant: TenantId) {
    let canonical =
        CanonicalJson::parse(entry.event.as_bytes()).expect("the stored text is canonical");
    assert_eq!(canonical.digest.to_string(), entry.hash, "the hash is that of the stored text");
    let event = value(&entry.event);
    let mut columns = vec![
        ("schema", "service-audit-event/v1".into()),
        ("tenant_id", tenant.to_string().into()),
        ("seq", Number::from(entry.seq).into()),
        ("event_id", entry.event_id.as_str().into()),
        ("occurred_at", entry.occurred_at.to_string().into()),
        ("action", entry.action.as_str().into()),
        ("actor", party(&entry.actor_type, &entry.actor_id)),
        ("object", party(&entry.object_type, &entry.object_id)),
    ];
    if !entry.prev.is_empty() {
        columns.push(("prev", entry.prev.as_str().into()));
    }
    if let Some(personal) = &entry.personal {
        columns.push(("personal_digest", bound(personal).into()));
    }
    let details = event.get("details").cloned();
    columns.extend(details.map(|details| ("details", details)));
    let columns = columns.into_iter().map(|(name, member)| (name.to_owned(), member));
    assert_eq!(Value::Object(columns.collect()), event, "columns and members say the same");
    let is_person = entry.actor_type != "system";
    assert_eq!(entry.personal.is_some(), is_person, "whoever has a name has it beside the event");
}

fn party(kind: &str, id: &str) -> Value {
    object([("type", kind.into()), ("id", id.into())])
}

/// The digest that binds a side row.
fn bound(personal: &str) -> String {
    let side = value(personal);
    assert_eq!(CanonicalJson::from_value(&side).text, personal, "the side row is canonical");
    let salt = hex::decode(text(&side, "salt")).unwrap();
    assert!(salt.len() >= 16, "the salt cannot be guessed");
    let digest = personal_digest(&salt, side.get("data").unwrap()).to_string();
    let by_hand = object([
        ("schema", "service-audit-personal/v1".into()),
        ("salt", side.get("salt").unwrap().clone()),
        ("data", side.get("data").unwrap().clone()),
    ]);
    assert_eq!(CanonicalJson::from_value(&by_hand).digest.to_string(), digest);
    digest
}
