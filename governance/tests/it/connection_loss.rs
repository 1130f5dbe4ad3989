//! Futures that are dropped half way, as when a client goes or a process dies.

use std::{future::poll_fn, pin::pin, task::Poll};

/// Polls `future` at most `polls` times and drops it where it then stands.
pub(crate) async fn after<F: Future>(polls: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(cx).map(Some)
    })
    .await
}
