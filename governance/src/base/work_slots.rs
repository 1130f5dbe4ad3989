//! Limits on concurrent work that needs much time and memory: building and checking bundles and chains.

use std::sync::Arc;

use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};

use crate::base::error::{Error, Result};

/// The maximum number of bundles being built or checked. Each may use several times its 64 MiB.
const RUNNING_MAX: usize = 4;

/// The maximum number of waiting requests; others are refused.
const WAITING_MAX: usize = 16;

#[derive(Debug)]
pub(crate) struct WorkSlots {
    queue_slots: Arc<Semaphore>,
    running_slots: Arc<Semaphore>,
}

impl Default for WorkSlots {
    fn default() -> Self {
        Self {
            queue_slots: Arc::new(Semaphore::new(RUNNING_MAX + WAITING_MAX)),
            running_slots: Arc::new(Semaphore::new(RUNNING_MAX)),
        }
    }
}

impl WorkSlots {
    /// Runs `work` on a blocking thread, so that hashing and signing do not delay other requests. The slot
    /// is held until the work is finished, even if the caller disconnects.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` while no slot is free; the errors of `work`.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl AsyncFnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let queue_permit = Arc::clone(&self.queue_slots).try_acquire_owned();
        let queue_permit = queue_permit
            .map_err(|_| Error::overloaded("too many bundles are being built or checked"))?;
        let running_permit = Arc::clone(&self.running_slots).acquire_owned().await;
        let running_permit = running_permit.map_err(Error::internal)?;
        let (runtime, span) = (Handle::current(), tracing::Span::current());
        let task = spawn_blocking(move || {
            let _permits = (queue_permit, running_permit);
            span.in_scope(|| runtime.block_on(work()))
        });
        task.await.map_err(Error::internal)?
    }
}
