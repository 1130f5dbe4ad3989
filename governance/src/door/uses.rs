//! When keys were last used: noted in memory at every request, written now and then.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use contract::{
    id::{ApiKeyId, TenantId},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, prelude::DateTimeUtc};
use uuid::Uuid;

use crate::{Governance, caller::Key, error::Result, tenancy::statement};

/// How long a key's use stands before the next one is written, in milliseconds: a minute.
const WRITTEN_EVERY_MS: i64 = 60_000;

/// The last uses of the keys that this process has let in.
#[derive(Debug, Default)]
pub(crate) struct Uses(Mutex<HashMap<ApiKeyId, Use>>);

#[derive(Clone, Copy, Debug)]
struct Use {
    tenant: TenantId,
    last: Timestamp,
    written: Option<Timestamp>,
}

impl Use {
    /// Whether there is something to write, and the time for it has come.
    fn is_due(&self, now: Timestamp) -> bool {
        self.written.is_none_or(|at| {
            at < self.last && now.millis().saturating_sub(at.millis()) >= WRITTEN_EVERY_MS
        })
    }

    /// Whether all is written, and not only just: what is known of the key can go.
    fn is_over(&self, now: Timestamp) -> bool {
        self.written.is_some_and(|at| {
            at >= self.last && now.millis().saturating_sub(at.millis()) >= WRITTEN_EVERY_MS
        })
    }
}

impl Uses {
    /// A key was let in.
    pub(super) fn note(&self, key: &Key, now: Timestamp) {
        let unused = Use { tenant: key.tenant_id, last: now, written: None };
        let mut uses = self.uses();
        let entry = uses.entry(key.id).or_insert(unused);
        entry.last = entry.last.max(now);
    }

    /// What is to be written at `now`, in the order of tenants and keys.
    fn due(&self, now: Timestamp) -> Vec<(TenantId, ApiKeyId, Timestamp)> {
        let uses = self.uses();
        let due = uses.iter().filter(|(_, noted)| noted.is_due(now));
        let mut due: Vec<_> = due.map(|(id, noted)| (noted.tenant, *id, noted.last)).collect();
        due.sort_unstable();
        due
    }

    /// What was due is written.
    fn written(&self, due: &[(TenantId, ApiKeyId, Timestamp)], now: Timestamp) {
        let mut uses = self.uses();
        for (_, id, last) in due {
            if let Some(noted) = uses.get_mut(id) {
                noted.written = Some((*last).max(now));
            }
        }
        uses.retain(|_, noted| !noted.is_over(now));
    }

    /// No method panics half way, so the map is whole even if a thread did.
    fn uses(&self) -> MutexGuard<'_, HashMap<ApiKeyId, Use>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// SQL: a function of the database writes the uses of keys of many tenants.
const NOTE: &str = "SELECT note_key_use($1, $2, $3)";

/// Writes down when keys were last used, at most once a minute for each key; tells for how many.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away: the uses are kept for the next call.
pub(crate) async fn write(governance: &Governance, now: Timestamp) -> Result<usize> {
    let uses = &governance.door().uses;
    let due = uses.due(now);
    if !due.is_empty() {
        let tenants: Vec<Uuid> = due.iter().map(|(tenant, _, _)| tenant.0).collect();
        let ids: Vec<Uuid> = due.iter().map(|(_, id, _)| id.0).collect();
        let moments: Vec<DateTimeUtc> =
            due.iter().map(|(_, _, last)| entity::column::at(*last)).collect();
        let note = statement(NOTE, [tenants.into(), ids.into(), moments.into()]);
        governance.database().query_one_raw(note).await?;
    }
    uses.written(&due, now);
    Ok(due.len())
}
