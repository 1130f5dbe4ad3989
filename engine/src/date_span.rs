//! Date spans: a timestamp or a whole day.

use contract::time::{DAY_MS, Timestamp};

/// A day in UTC, or a date-time with equal start and end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DateSpan {
    pub(crate) start: Timestamp,
    /// The last millisecond of the day.
    pub(crate) end: Timestamp,
}

const DAY_END_MS: i64 = DAY_MS - 1;

impl DateSpan {
    /// Parses `YYYY-MM-DD` or an RFC 3339 date-time.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(start) = Timestamp::from_date(text) {
            return Some(Self { start, end: start.plus_millis(DAY_END_MS) });
        }
        let time = text.parse().ok()?;
        Some(Self { start: time, end: time })
    }
}
