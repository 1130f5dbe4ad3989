//! Formats timestamps in UTC, and the digits of timestamps.

use contract::time::Timestamp;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

pub const UTC: &str = "UTC";

/// Formats a time to the minute in UTC, for example "20 Nov 2026 23:04 UTC".
pub fn minute_utc(at: Timestamp) -> String {
    minute_in(at, UTC)
}

/// Formats the digits of a time to the minute with the name of a zone.
pub fn minute_in(at: Timestamp, zone: &str) -> String {
    let (day, clock) = parts(at);
    format!("{day} {} {zone}", clock.get(..5).unwrap_or_default())
}

/// Formats a time to the millisecond in UTC, for example "20 Nov 2026 23:04:11.302 UTC".
pub fn exact_utc(at: Timestamp) -> String {
    exact_in(at, UTC)
}

/// Formats the digits of a time to the millisecond with the name of a zone.
pub fn exact_in(at: Timestamp, zone: &str) -> String {
    let (day, clock) = parts(at);
    format!("{day} {clock} {zone}")
}

/// Formats the time of day in UTC, for example "23:04:11".
pub fn clock_utc(at: Timestamp) -> String {
    let (_, clock) = parts(at);
    clock.get(..8).unwrap_or_default().to_owned()
}

/// Returns the day as text, and the time of day with milliseconds.
pub fn parts(at: Timestamp) -> (String, String) {
    let text = at.to_string();
    let (date, clock) = text.split_once('T').unwrap_or_default();
    let mut numbers = date.splitn(3, '-');
    let year = numbers.next().unwrap_or_default();
    let month = numbers.next().and_then(|month| month.parse::<usize>().ok()).unwrap_or(1);
    let day = numbers.next().unwrap_or_default().trim_start_matches('0');
    let month = MONTHS.get(month.saturating_sub(1)).copied().unwrap_or_default();
    (format!("{day} {month} {year}"), clock.trim_end_matches('Z').to_owned())
}
