//! Work that goes on after its request was answered.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::task::JoinSet;

/// The tasks of a process that answer to no request.
#[derive(Debug, Default)]
pub(crate) struct Background(Mutex<JoinSet<()>>);

impl Background {
    /// Starts a task. The callers bound how many there are.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Waits for all tasks that were started before.
    pub(crate) async fn finish(&self) {
        let mut tasks = std::mem::take(&mut *self.tasks());
        while tasks.join_next().await.is_some() {}
    }

    /// No method panics while it holds the lock, so the set is whole even if a thread did.
    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
