//! The clock of the machine.

use std::time::SystemTime;

use contract::time::Timestamp;

/// Returns the current time.
#[expect(clippy::disallowed_methods, reason = "a command has no request context with a time")]
pub(crate) fn now() -> Timestamp {
    const EPOCH: Timestamp = Timestamp::from_millis(0).expect("1970 is a year");
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    EPOCH.plus_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}
