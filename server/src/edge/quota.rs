//! The quota of a caller and the headers that report it.

use http::{HeaderMap, HeaderName, HeaderValue};

/// The quota of a caller, as the three rate limit headers report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Requests per minute.
    pub limit: u32,
    /// The requests that remain until the quota is full again.
    pub remaining: u32,
    /// The time at which the quota is full again, in milliseconds since 1970.
    pub reset_ms: i64,
}

const LIMIT: HeaderName = HeaderName::from_static("rate-limit-limit");
const REMAINING: HeaderName = HeaderName::from_static("rate-limit-remaining");
const RESET: HeaderName = HeaderName::from_static("rate-limit-reset");

impl Quota {
    /// Returns the quota that is exhausted first.
    pub(crate) fn stricter(self, other: Self) -> Self {
        if other.remaining < self.remaining { other } else { self }
    }

    pub(crate) fn write(self, headers: &mut HeaderMap) {
        headers.insert(LIMIT, self.limit.into());
        headers.insert(REMAINING, self.remaining.into());
        headers.insert(RESET, HeaderValue::from(seconds(self.reset_ms)));
    }
}

/// Converts milliseconds to whole seconds, rounded up, so that a caller that waits this long does not retry too
/// early.
pub(super) fn seconds(ms: i64) -> u64 {
    ms.max(0).unsigned_abs().div_ceil(1_000)
}
