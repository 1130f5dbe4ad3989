//! Background tasks that continue after the response of their request.

use parking_lot::Mutex;
use tokio::task::JoinSet;

#[derive(Debug, Default)]
pub(crate) struct Background(Mutex<JoinSet<()>>);

impl Background {
    /// Starts a task. Callers limit the number of tasks.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.0.lock();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Waits for all tasks started before this call.
    pub(crate) async fn finish(&self) {
        let mut tasks = std::mem::take(&mut *self.0.lock());
        while tasks.join_next().await.is_some() {}
    }
}
