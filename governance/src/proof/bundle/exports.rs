//! Limits concurrent exports and verifications, and caches final bundles.

use std::{sync::Arc, time::Duration};

use moka::future::Cache;
use receipt::digest::Digest;
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};

use super::{BundleSource, Format, final_state::FinalState};
use crate::base::error::{Error, Result};

/// The maximum number of bundles being built or checked. Each may use several times its 64 MiB.
const RUNNING_MAX: usize = 4;

/// The maximum number of waiting requests; others are rejected.
const WAITING_MAX: usize = 16;

/// The delay after which a rejected request may be retried.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The maximum number of cached bytes.
const CACHED_MAX: u64 = 32 << 20;

/// The maximum size of one cached bundle, so that a few large ones do not displace all others.
const CACHED_EACH_MAX: usize = 4 << 20;

/// The bytes of a bundle in one format.
#[derive(Debug)]
pub struct Export {
    pub bytes: Arc<[u8]>,
    /// The SHA-256 of the bytes as 64 hexadecimal digits.
    pub digest: String,
}

impl Export {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { digest: Digest::compute(&bytes).to_string(), bytes: bytes.into() }
    }
}

/// The cache key: a bundle in one format and one state.
type Key = (BundleSource, Format, FinalState);

/// The limits of concurrent exports, and the cache of final bundles.
#[derive(Debug)]
pub(crate) struct Exports {
    queue_slots: Arc<Semaphore>,
    running_slots: Arc<Semaphore>,
    cache: Cache<Key, Arc<Export>>,
}

impl Default for Exports {
    fn default() -> Self {
        let weight = |_: &Key, export: &Arc<Export>| {
            u32::try_from(export.bytes.len()).unwrap_or(u32::MAX).saturating_add(1_024)
        };
        Self {
            queue_slots: Arc::new(Semaphore::new(RUNNING_MAX + WAITING_MAX)),
            running_slots: Arc::new(Semaphore::new(RUNNING_MAX)),
            cache: Cache::builder().max_capacity(CACHED_MAX).weigher(weight).build(),
        }
    }
}

impl Exports {
    /// Runs `work` on a blocking thread, so that hashing and signing do not delay other requests. The slot
    /// is held until the work is finished, even if the caller disconnects.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` while no slot is free; the errors of `work`.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl AsyncFnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let queue_permit = Arc::clone(&self.queue_slots).try_acquire_owned().map_err(|_| busy())?;
        let running_permit = Arc::clone(&self.running_slots).acquire_owned().await;
        let running_permit = running_permit.map_err(|error| Error::Bug(error.into()))?;
        let (runtime, span) = (Handle::current(), tracing::Span::current());
        let task = spawn_blocking(move || {
            let _permits = (queue_permit, running_permit);
            span.in_scope(|| runtime.block_on(work()))
        });
        task.await.map_err(|error| Error::Bug(error.into()))?
    }

    pub(super) async fn find_cached(
        &self,
        source: BundleSource,
        format: Format,
        finished: &FinalState,
    ) -> Option<Arc<Export>> {
        self.cache.get(&(source, format, finished.clone())).await
    }

    pub(super) async fn store(
        &self,
        source: BundleSource,
        format: Format,
        finished: FinalState,
        export: &Arc<Export>,
    ) {
        if export.bytes.len() <= CACHED_EACH_MAX {
            self.cache.insert((source, format, finished), Arc::clone(export)).await;
        }
    }
}

fn busy() -> Error {
    let cause = "too many bundles are being built or checked";
    Error::Unavailable { retry_after: RETRY_AFTER, cause: cause.into() }
}
