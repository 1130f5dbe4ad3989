//! The delay before a call is repeated.

use std::time::Duration;

use super::Error;

/// The maximum value of `Retry-After` that the client waits for.
const RETRY_AFTER_MAX: Duration = Duration::from_mins(1);

/// Returns the delay before repeating a call that failed with `error` in `attempt` (from 0), or `None` if a
/// repetition does not help.
pub(super) fn delay(error: &Error, attempt: u32) -> Option<Duration> {
    let least = Duration::from_millis(250) * 2_u32.saturating_pow(attempt);
    match error {
        Error::Unreachable { .. } => Some(least),
        Error::Unexpected { status: 502..=504, retry_after, .. } => within(*retry_after, least),
        Error::Refused(refused) if matches!(refused.status, 429 | 503) => {
            within(refused.retry_after, least)
        }
        _ => None,
    }
}

/// Returns the requested delay, at least `least`, or `None` if it is too long.
fn within(retry_after: Option<u64>, least: Duration) -> Option<Duration> {
    let requested = retry_after.map_or(least, Duration::from_secs);
    (requested <= RETRY_AFTER_MAX).then_some(requested.max(least))
}

#[cfg(test)]
mod tests {
    use contract::error::{ErrorBody, Problem};

    use super::*;
    use crate::client::Refused;

    fn refused(status: u16, retry_after: Option<u64>) -> Error {
        let error = Problem { code: "CODE".into(), message: "message".into(), details: None };
        let body = ErrorBody { error, correlation_id: "c".into(), retry_after: None };
        Error::Refused(Box::new(Refused { status, body, retry_after }))
    }

    #[test]
    fn delay_is_retry_after_but_at_least_doubling() {
        let unreachable = Error::Unreachable { url: String::new(), cause: String::new() };
        assert_eq!(delay(&unreachable, 0), Some(Duration::from_millis(250)));
        assert_eq!(delay(&unreachable, 1), Some(Duration::from_millis(500)));
        assert_eq!(delay(&refused(429, Some(7)), 0), Some(Duration::from_secs(7)));
        assert_eq!(delay(&refused(503, Some(0)), 1), Some(Duration::from_millis(500)));
        assert_eq!(delay(&refused(503, None), 0), Some(Duration::from_millis(250)));
        let of_proxy = |retry_after| Error::Unexpected {
            url: String::new(),
            status: 504,
            correlation_id: None,
            retry_after,
        };
        assert_eq!(delay(&of_proxy(Some(5)), 0), Some(Duration::from_secs(5)));
        assert_eq!(delay(&of_proxy(None), 0), Some(Duration::from_millis(250)));
    }

    #[test]
    fn refusals_and_long_delays_are_not_repeated() {
        assert_eq!(delay(&refused(429, Some(61)), 0), None);
        assert_eq!(delay(&refused(422, None), 0), None);
        assert_eq!(delay(&refused(500, None), 0), None);
    }
}
