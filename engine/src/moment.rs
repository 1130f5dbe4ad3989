//! What a date in a context or a rule says: an instant, or a whole day.

use contract::time::{DAY_MS, Timestamp};

/// A date-time (then both ends are one) or a day in UTC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) start: Timestamp,
    /// The last millisecond of a day.
    pub(crate) end: Timestamp,
}

const DAY_END_MS: i64 = DAY_MS - 1;

impl Moment {
    /// Reads `YYYY-MM-DD` or an RFC 3339 date-time.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(start) = Timestamp::from_date(text) {
            return Some(Self { start, end: start.plus_millis(DAY_END_MS) });
        }
        let at = text.parse().ok()?;
        Some(Self { start: at, end: at })
    }
}
