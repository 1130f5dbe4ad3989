//! Reads a tenant's audit log from the database and checks it with the verifier of the format, using only the stored
//! rows.

use contract::{id::TenantId, time::Timestamp};
use receipt::audit::{
    EntityRef,
    verify::{LogEnd, StoredEvent, Verifier},
};
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
    checkpoint: Option<String>,
}

impl Entry {
    pub(crate) fn detail(&self, name: &str) -> Option<Value> {
        value(&self.event).get("details")?.get(name).cloned()
    }
}

pub(crate) async fn entries(env: &TestEnv, tenant: TenantId) -> Vec<Entry> {
    let rows = format!(
        "select e.seq, event_id, occurred_at, action, actor_type, actor_id, object_type, object_id, event, \
         encode(e.hash, 'hex') hash, encode(prev, 'hex') prev, personal, encode(c.hash, 'hex') checkpoint \
         from audit_events e left join audit_personal p using (tenant_id, seq) \
         left join audit_checkpoints c using (tenant_id, seq) \
         where e.tenant_id = '{tenant}' order by e.seq"
    );
    env.rows(&rows).await
}

/// Checks that the audit log of a tenant is intact and returns its events.
pub(crate) async fn verified_entries(env: &TestEnv, tenant: TenantId) -> Vec<Entry> {
    let entries = entries(env, tenant).await;
    let mut verifier = Verifier::new(tenant);
    for entry in &entries {
        let occurred_at = entry.occurred_at.to_string();
        let stored = StoredEvent {
            seq: entry.seq.into(),
            event_id: &entry.event_id,
            occurred_at: &occurred_at,
            action: &entry.action,
            actor: EntityRef { kind: &entry.actor_type, id: &entry.actor_id },
            object: EntityRef { kind: &entry.object_type, id: &entry.object_id },
            event: &entry.event,
            hash: &entry.hash,
            prev: &entry.prev,
            personal: entry.personal.as_deref(),
            checkpoint: entry.checkpoint.as_deref(),
        };
        assert_eq!(verifier.check(&stored), Ok(()));
        let salt = entry.personal.as_ref().map(|row| text(&value(row), "salt").len());
        // Only events of users and keys have a personal row, whose salt of 16 bytes cannot be guessed.
        assert_eq!(salt.is_some_and(|digits| digits >= 32), entry.actor_type != "system");
    }
    let head = format!(
        "select audit_seq || ' ' || encode(audit_hash, 'hex') from tenant_heads \
         where tenant_id = '{tenant}'"
    );
    let head = env.texts(&head).await.concat();
    let (head_seq, head_hash) = head.split_once(' ').expect("a number and a hash");
    let last_event = entries.last().map_or(0, |last| last.seq.into());
    let end = LogEnd {
        head_seq: head_seq.parse().unwrap(),
        head_hash,
        last_event,
        last_checkpoint: None,
    };
    assert_eq!(verifier.finish(last_event, &end), Ok(()));
    let orphans = format!(
        "select p.seq::text from audit_personal p left join audit_events e using (tenant_id, seq) \
         where p.tenant_id = '{tenant}' and e.seq is null"
    );
    assert!(env.texts(&orphans).await.is_empty(), "each personal row has an event");
    entries
}
