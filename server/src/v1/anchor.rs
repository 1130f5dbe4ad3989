//! The query parameter `wait_for`: a request can wait until its result is anchored in the transparency log.

use std::time::Duration;

use governance::Cx;

use crate::edge::{ApiResult, FromQuery, QueryReader, RequestStorePermit};

contract::named_enum! {
    /// The event that a request can wait for.
    pub enum WaitFor {
        /// The transparency anchor of the result.
        Anchor = "anchor",
    }
}

impl FromQuery for Option<WaitFor> {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let description =
            "`anchor` waits up to 5 s until the result is anchored in the transparency log";
        Some(query.get("wait_for", description))
    }
}

/// The maximum time that a request waits (contract, section 5).
const WAIT_MAX: Duration = Duration::from_secs(5);

/// The interval of polls, because another process may have extended the log.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Reads a value. If `wait` is set, reads it again until it is anchored, for at most `WAIT_MAX`. The request
/// releases its store permit while it waits.
pub(super) async fn wait_until_anchored<T, F: Future<Output = governance::Result<T>> + Send>(
    cx: &Cx,
    wait: Option<WaitFor>,
    permit: &RequestStorePermit,
    read: impl Fn() -> F + Send + Sync,
    is_anchored: impl Fn(&T) -> bool + Send + Sync,
) -> ApiResult<T> {
    let first = read().await?;
    if wait.is_none() || is_anchored(&first) || !cx.governance().has_log() {
        return Ok(first);
    }
    permit.release();
    let result = tokio::time::timeout(WAIT_MAX, async {
        loop {
            cx.governance().wait_for_growth(POLL_INTERVAL).await;
            match read().await {
                Ok(value) if !is_anchored(&value) => {}
                result => return result,
            }
        }
    });
    let result = result.await;
    permit.reacquire()?;
    Ok(result.unwrap_or(Ok(first))?)
}
