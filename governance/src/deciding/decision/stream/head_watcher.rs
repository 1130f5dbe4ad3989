//! Open streams of this process and the sequence heads of their tenants.
//!
//! The heads are polled five times a second, and only while streams are open, with one read by primary key
//! for all tenants. `NOTIFY` would react sooner but slow down recording. Inside the transaction of a
//! record, `PostgreSQL` would hold one cluster-wide lock until the end of the commit, so that no two
//! records could be flushed together. After the commit, it would add one statement per group of records
//! even without listeners, and one connection per process, to save a reader a tenth of a second.

use std::fmt;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::STREAMS_MAX;
use crate::base::{error::stream::too_many_streams, prelude::*};

/// All streams of a process.
#[derive(Clone, Default)]
pub(crate) struct StreamRegistry(Arc<Mutex<OpenStreams>>);

#[derive(Default)]
struct OpenStreams {
    heads: HashMap<TenantId, watch::Sender<i64>>,
    stream_counts: HashMap<Listener, usize>,
}

/// An API key or a user, in a tenant.
type Listener = (TenantId, Uuid);

impl fmt::Debug for StreamRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamRegistry").field("count", &self.count()).finish()
    }
}

impl StreamRegistry {
    pub(crate) fn count(&self) -> usize {
        self.0.lock().stream_counts.values().sum()
    }

    pub(super) fn acquire(&self, caller: &Caller) -> Result<StreamPermit> {
        let listener = match caller {
            Caller::Key(key) => (key.tenant_id, key.id.0),
            Caller::Human(human) => (human.tenant_id, human.user_id.0),
            _ => (TenantId(Uuid::nil()), Uuid::nil()),
        };
        let mut open = self.0.lock();
        let count = open.stream_counts.entry(listener).or_default();
        if *count >= STREAMS_MAX {
            return Err(too_many_streams(STREAMS_MAX).into());
        }
        *count += 1;
        Ok(StreamPermit { streams: self.clone(), listener })
    }

    pub(super) fn watch(&self, tenant: TenantId) -> HeadWatch {
        let mut open = self.0.lock();
        HeadWatch(open.heads.entry(tenant).or_insert_with(|| watch::channel(0).0).subscribe())
    }

    /// Returns the tenants with open streams and drops the others.
    fn tenants(&self) -> Vec<Uuid> {
        let mut open = self.0.lock();
        open.heads.retain(|_, head| head.receiver_count() > 0);
        open.heads.keys().map(|tenant| tenant.0).collect()
    }

    fn notify(&self, tenant: TenantId, to: i64) {
        if let Some(head) = self.0.lock().heads.get(&tenant) {
            head.send_if_modified(|head| std::mem::replace(head, to) != to);
        }
    }
}

/// A permit for one stream of a caller, released when dropped.
#[derive(Debug)]
pub(super) struct StreamPermit {
    streams: StreamRegistry,
    listener: Listener,
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock();
        if let Some(count) = open.stream_counts.get_mut(&self.listener) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                open.stream_counts.remove(&self.listener);
            }
        }
    }
}

/// The watched head of one tenant.
#[derive(Debug)]
pub(super) struct HeadWatch(watch::Receiver<i64>);

impl HeadWatch {
    /// Waits until the head is past `position`.
    pub(super) async fn wait_past(&mut self, position: i64) {
        if self.0.wait_for(|head| *head > position).await.is_err() {
            // The sender is gone because the process is shutting down.
            std::future::pending::<()>().await;
        }
    }
}

// SQL: runs five times a second.
const SELECT_HEADS: &str =
    "SELECT tenant_id, audit_seq FROM tenant_heads WHERE tenant_id = ANY($1)";

/// Reads the heads of all tenants with open streams in one statement and wakes the streams whose tenant has
/// new records. Background work that runs periodically; does nothing without open streams.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn poll_heads(governance: &Governance) -> Result<()> {
    let streams = &governance.deciding().streams;
    let tenants = streams.tenants();
    if tenants.is_empty() {
        return Ok(());
    }
    let heads = sql::tuples(governance.database(), SELECT_HEADS, [tenants.into()]).await?;
    for (tenant, head) in heads {
        streams.notify(TenantId(tenant), head);
    }
    Ok(())
}
