//! Who listens in this process, and how far the heads of their tenants have come.
//!
//! The heads are looked at, five times a second and only while somebody listens: one read by primary key
//! for all tenants at once. `NOTIFY` would wake sooner and cost whoever records. Inside the transaction of
//! a record it is forbidden: `PostgreSQL` takes one lock for the whole cluster from there to the end of
//! the commit, so that no two records could be flushed together. After the commit it would be one more
//! statement for each group of records, whether or not anybody listens in any process, and one more
//! connection in each process, to save a reader a tenth of a second.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use contract::id::TenantId;
use sea_orm::ConnectionTrait;
use tokio::sync::watch;
use uuid::Uuid;

use super::STREAMS_MAX;
use crate::{
    Governance,
    caller::Caller,
    error::{Result, stream::too_many_streams},
    tenancy::statement,
};

/// All streams of a process.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    heads: HashMap<TenantId, watch::Sender<i64>>,
    seats: HashMap<Listener, usize>,
}

/// A key or a person, in a tenant.
type Listener = (TenantId, Uuid);

impl fmt::Debug for Streams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Streams").field("count", &self.count()).finish()
    }
}

impl Streams {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.open().seats.values().sum()
    }

    /// A seat for one stream of a caller.
    pub(super) fn seat(&self, caller: &Caller) -> Result<Seat> {
        let listener = match caller {
            Caller::Key(key) => (key.tenant_id, key.id.0),
            Caller::Human(human) => (human.tenant_id, human.user_id.0),
            _ => (TenantId(Uuid::nil()), Uuid::nil()),
        };
        let mut open = self.open();
        let taken = open.seats.entry(listener).or_default();
        if *taken >= STREAMS_MAX {
            return Err(too_many_streams(STREAMS_MAX).into());
        }
        *taken += 1;
        Ok(Seat { streams: self.clone(), listener })
    }

    /// The head of a tenant, as it is looked at from now on.
    pub(super) fn watch(&self, tenant: TenantId) -> Watched {
        let mut open = self.open();
        Watched(open.heads.entry(tenant).or_insert_with(|| watch::channel(0).0).subscribe())
    }

    /// The tenants that somebody listens to; the others are forgotten.
    fn tenants(&self) -> Vec<Uuid> {
        let mut open = self.open();
        open.heads.retain(|_, head| head.receiver_count() > 0);
        open.heads.keys().map(|tenant| tenant.0).collect()
    }

    fn moved(&self, tenant: TenantId, to: i64) {
        if let Some(head) = self.open().heads.get(&tenant) {
            head.send_if_modified(|head| std::mem::replace(head, to) != to);
        }
    }
}

/// A place among the streams of one caller, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    streams: Streams,
    listener: Listener,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.streams.open();
        if let Some(taken) = open.seats.get_mut(&self.listener) {
            *taken = taken.saturating_sub(1);
            if *taken == 0 {
                open.seats.remove(&self.listener);
            }
        }
    }
}

/// The head of one tenant.
#[derive(Debug)]
pub(super) struct Watched(watch::Receiver<i64>);

impl Watched {
    /// Resolves once the head was seen beyond `place`.
    pub(super) async fn beyond(&mut self, place: i64) {
        if self.0.wait_for(|head| *head > place).await.is_err() {
            // Nobody looks any more: the process is at its end.
            std::future::pending::<()>().await;
        }
    }
}

// SQL: runs five times a second.
const HEADS: &str = "SELECT tenant_id, audit_seq FROM tenant_heads WHERE tenant_id = ANY($1)";

/// Looks how far the tenants have come that somebody listens to, with one statement for all of them, and
/// wakes their streams. Background work, to be done again and again; without listeners it does nothing.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn look(governance: &Governance) -> Result<()> {
    let streams = governance.streams();
    let tenants = streams.tenants();
    if tenants.is_empty() {
        return Ok(());
    }
    let heads = governance.database().query_all_raw(statement(HEADS, [tenants.into()])).await?;
    for row in heads {
        streams.moved(TenantId(row.try_get_by_index(0)?), row.try_get_by_index(1)?);
    }
    Ok(())
}
