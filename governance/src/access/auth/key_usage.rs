//! The last use of each key: recorded in memory for every request, written to the database
//! periodically.

use parking_lot::Mutex;

use crate::base::{caller::ApiKeyCaller, prelude::*};

/// The minimum interval between two writes of one key, in milliseconds: a minute.
const WRITE_INTERVAL_MS: i64 = 60_000;

/// The last uses of the keys that this process has authenticated.
#[derive(Debug, Default)]
pub(crate) struct KeyUsage(Mutex<HashMap<ApiKeyId, KeyUse>>);

#[derive(Clone, Copy, Debug)]
struct KeyUse {
    tenant: TenantId,
    last: Timestamp,
    written: Option<Timestamp>,
}

impl KeyUse {
    /// Returns whether there is a newer use to write and the interval has passed.
    fn is_due(&self, now: Timestamp) -> bool {
        self.written.is_none_or(|written| written < self.last && has_interval_passed(written, now))
    }

    /// Returns whether the last use is written and the interval has passed, so the entry can be
    /// removed.
    fn is_stale(&self, now: Timestamp) -> bool {
        self.written
            .is_some_and(|written| written >= self.last && has_interval_passed(written, now))
    }
}

fn has_interval_passed(written: Timestamp, now: Timestamp) -> bool {
    now.millis().saturating_sub(written.millis()) >= WRITE_INTERVAL_MS
}

impl KeyUsage {
    pub(super) fn record(&self, key: &ApiKeyCaller, now: Timestamp) {
        let new_use = KeyUse { tenant: key.tenant_id, last: now, written: None };
        let mut uses = self.0.lock();
        let entry = uses.entry(key.id).or_insert(new_use);
        entry.last = entry.last.max(now);
    }

    /// Returns the last use of a key, if this process has seen one that may not be written yet.
    pub(super) fn last(&self, id: ApiKeyId) -> Option<Timestamp> {
        self.0.lock().get(&id).map(|key_use| key_use.last)
    }

    /// Returns the uses to write at `now`, ordered by tenant and key.
    fn due(&self, now: Timestamp) -> Vec<(TenantId, ApiKeyId, Timestamp)> {
        let uses = self.0.lock();
        let due = uses.iter().filter(|(_, key_use)| key_use.is_due(now));
        let mut due: Vec<_> =
            due.map(|(id, key_use)| (key_use.tenant, *id, key_use.last)).collect();
        due.sort_unstable();
        due
    }

    /// Marks uses as written and removes stale entries.
    fn mark_written(&self, due: &[(TenantId, ApiKeyId, Timestamp)], now: Timestamp) {
        let mut uses = self.0.lock();
        for (_, id, last) in due {
            if let Some(key_use) = uses.get_mut(id) {
                key_use.written = Some((*last).max(now));
            }
        }
        uses.retain(|_, key_use| !key_use.is_stale(now));
    }
}

// SQL: a database function writes the uses of keys of many tenants.
const UPDATE_LAST_USED: &str = "SELECT record_key_use($1, $2, $3)";

/// Writes when keys were last used, at most once a minute for each key, and returns the number of keys.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable. The uses are retained for the next call.
pub(crate) async fn write(governance: &Governance, now: Timestamp) -> Result<usize> {
    let uses = &governance.access().authenticator.uses;
    let due = uses.due(now);
    if !due.is_empty() {
        let tenants: Vec<Uuid> = due.iter().map(|(tenant, _, _)| tenant.0).collect();
        let ids: Vec<Uuid> = due.iter().map(|(_, id, _)| id.0).collect();
        let times: Vec<DateTimeUtc> = due.iter().map(|(_, _, last)| to_column(*last)).collect();
        let update = statement(UPDATE_LAST_USED, [tenants.into(), ids.into(), times.into()]);
        governance.database().query_one_raw(update).await?;
    }
    uses.mark_written(&due, now);
    Ok(due.len())
}
