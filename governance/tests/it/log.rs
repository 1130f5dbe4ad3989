//! Reads a tenant's audit log from the database and checks its format (receipts, section 14) using
//! only the stored rows.

use contract::{id::TenantId, json::Number, time::Timestamp};
use receipt::{audit::personal_digest, canonical_json::CanonicalJson};
use serde::Deserialize;

use crate::prelude::*;

/// A row of `audit_events`, with its row of `audit_personal` if it has one.
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
    pub(crate) fn detail(&self, name: &str) -> Option<Value> {
        value(&self.event).get("details")?.get(name).cloned()
    }
}

pub(crate) async fn entries(env: &TestEnv, tenant: TenantId) -> Vec<Entry> {
    let rows = format!(
        "select e.seq, event_id, occurred_at, action, actor_type, actor_id, object_type, object_id, event, \
         encode(hash, 'hex') hash, encode(prev, 'hex') prev, personal \
         from audit_events e left join audit_personal p using (tenant_id, seq) \
         where e.tenant_id = '{tenant}' order by e.seq"
    );
    env.rows(&rows).await
}

/// Checks that the audit log of a tenant is intact and returns its events.
pub(crate) async fn verified_entries(env: &TestEnv, tenant: TenantId) -> Vec<Entry> {
    let entries = entries(env, tenant).await;
    let mut prev = String::new();
    for (number, entry) in (1..).zip(&entries) {
        assert_eq!(entry.seq, number, "numbers have no gaps");
        assert_eq!(entry.prev, prev, "event {number} is linked to the previous event");
        check(entry, tenant);
        prev.clone_from(&entry.hash);
    }
    let head = format!(
        "select audit_seq || ' ' || encode(audit_hash, 'hex') from tenant_heads \
         where tenant_id = '{tenant}'"
    );
    let head = env.texts(&head).await.concat();
    assert_eq!(head, format!("{} {prev}", entries.len()), "the head is the last event");
    let orphans = format!(
        "select p.seq::text from audit_personal p left join audit_events e using (tenant_id, seq) \
         where p.tenant_id = '{tenant}' and e.seq is null"
    );
    assert!(env.texts(&orphans).await.is_empty(), "each personal row has an event");
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
        ("actor", typed_id(&entry.actor_type, &entry.actor_id)),
        ("object", typed_id(&entry.object_type, &entry.object_id)),
    ];
    if !entry.prev.is_empty() {
        columns.push(("prev", entry.prev.as_str().into()));
    }
    if let Some(personal) = &entry.personal {
        columns.push(("personal_digest", check_personal_row(personal).into()));
    }
    let details = event.get("details").cloned();
    columns.extend(details.map(|details| ("details", details)));
    let columns = columns.into_iter().map(|(name, member)| (name.to_owned(), member));
    assert_eq!(Value::Object(columns.collect()), event, "the columns and the members are equal");
    let has_name = entry.actor_type != "system";
    assert_eq!(
        entry.personal.is_some(),
        has_name,
        "only events of users and keys have a personal row"
    );
}

fn typed_id(kind: &str, id: &str) -> Value {
    object([("type", kind.into()), ("id", id.into())])
}

/// Checks a personal row and returns its digest.
fn check_personal_row(personal: &str) -> String {
    let row = value(personal);
    assert_eq!(CanonicalJson::from_value(&row).text, personal, "the personal row is canonical");
    let salt = hex::decode(text(&row, "salt")).unwrap();
    assert!(salt.len() >= 16, "the salt cannot be guessed");
    let digest = personal_digest(&salt, row.get("data").unwrap()).to_string();
    let recomputed = object([
        ("schema", "service-audit-personal/v1".into()),
        ("salt", row.get("salt").unwrap().clone()),
        ("data", row.get("data").unwrap().clone()),
    ]);
    assert_eq!(CanonicalJson::from_value(&recomputed).digest.to_string(), digest);
    digest
}
