//! Futures that are dropped before they finish, as when a client disconnects or a process dies.

use std::{future::poll_fn, pin::pin, task::Poll};

/// Polls `future` at most `polls` times and then drops it.
pub(crate) async fn cancel_after_polls<F: Future>(polls: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut remaining = polls;
    poll_fn(|cx| {
        if remaining == 0 {
            return Poll::Ready(None);
        }
        remaining -= 1;
        future.as_mut().poll(cx).map(Some)
    })
    .await
}
