//! Limits how many bundles are made and checked at a time, and caches those that cannot change any more.

use std::{sync::Arc, time::Duration};

use moka::future::Cache;
use receipt::digest::Digest;
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};

use super::{Format, Of, finished::Finished};
use crate::error::{Error, Result};

/// How many bundles are made or checked at a time. Each may take several times its 64 MiB.
const RUNNING_MAX: usize = 4;

/// How many more requests wait for one of these places; others are refused.
const WAITING_MAX: usize = 16;

/// When a refused request may be sent again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How many bytes of bundles are cached.
const CACHED_MAX: u64 = 32 << 20;

/// The most bytes that one cached bundle has, so that a few large ones do not displace all others.
const CACHED_EACH_MAX: usize = 4 << 20;

/// The bytes of a bundle in one of its forms.
#[derive(Debug)]
pub struct Export {
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// Their SHA-256, as 64 hexadecimal digits.
    pub digest: String,
}

impl Export {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { digest: Digest::of(&bytes).to_string(), bytes: bytes.into() }
    }
}

/// A bundle in one form, as it was when everything in it had this state.
type Key = (Of, Format, Finished);

/// The places in which bundles are made and checked, and the cache of finished ones.
#[derive(Debug)]
pub(crate) struct Exports {
    admitted: Arc<Semaphore>,
    running: Arc<Semaphore>,
    cache: Cache<Key, Arc<Export>>,
}

impl Default for Exports {
    fn default() -> Self {
        let weight = |_: &Key, export: &Arc<Export>| {
            u32::try_from(export.bytes.len()).unwrap_or(u32::MAX).saturating_add(1_024)
        };
        Self {
            admitted: Arc::new(Semaphore::new(RUNNING_MAX + WAITING_MAX)),
            running: Arc::new(Semaphore::new(RUNNING_MAX)),
            cache: Cache::builder().max_capacity(CACHED_MAX).weigher(weight).build(),
        }
    }
}

impl Exports {
    /// Runs `work` on a thread of its own, so that digests and signatures keep no other request waiting.
    /// The place is held until the work is done, also when the caller has left.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` while all places are taken; those of `work`.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl AsyncFnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| busy())?;
        let running = Arc::clone(&self.running).acquire_owned().await;
        let running = running.map_err(|error| Error::Bug(error.into()))?;
        let (runtime, span) = (Handle::current(), tracing::Span::current());
        let done = spawn_blocking(move || {
            let _places = (admitted, running);
            span.in_scope(|| runtime.block_on(work()))
        });
        done.await.map_err(|error| Error::Bug(error.into()))?
    }

    pub(super) async fn cached(
        &self,
        of: Of,
        format: Format,
        finished: &Finished,
    ) -> Option<Arc<Export>> {
        self.cache.get(&(of, format, finished.clone())).await
    }

    pub(super) async fn keep(
        &self,
        of: Of,
        format: Format,
        finished: Finished,
        export: &Arc<Export>,
    ) {
        if export.bytes.len() <= CACHED_EACH_MAX {
            self.cache.insert((of, format, finished), Arc::clone(export)).await;
        }
    }
}

fn busy() -> Error {
    let cause = "too many bundles are made or checked at a time";
    Error::Unavailable { retry_after: RETRY_AFTER, cause: cause.into() }
}
