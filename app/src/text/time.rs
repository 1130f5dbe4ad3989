//! Formats timestamps, with the time zone.

use contract::time::Timestamp;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Formats a time to the minute, for example "20 Nov 2026 23:04 UTC".
pub fn minute(at: Timestamp) -> String {
    let (day, clock) = parts(at);
    format!("{day} {} UTC", clock.get(..5).unwrap_or_default())
}

/// Formats a time to the second, for example "20 Nov 2026 23:04:11", for columns whose header names the zone.
pub fn second(at: Timestamp) -> String {
    let (day, clock) = parts(at);
    format!("{day} {}", clock.get(..8).unwrap_or_default())
}

/// Formats a time to the millisecond, for example "20 Nov 2026 23:04:11.302 UTC".
pub fn exact(at: Timestamp) -> String {
    let (day, clock) = parts(at);
    format!("{day} {clock} UTC")
}

/// Formats the day in UTC, for example "20 Nov 2026".
#[cfg(feature = "ssr")]
pub(crate) fn day(at: Timestamp) -> String {
    parts(at).0
}

/// Formats the time of day in UTC, for example "23:04:11".
pub fn clock(at: Timestamp) -> String {
    let (_, clock) = parts(at);
    clock.get(..8).unwrap_or_default().to_owned()
}

/// Formats a duration in milliseconds in one unit, for example "4 min", "23 h" or "12 days".
pub fn span(ms: i64) -> String {
    match ms / 60_000 {
        ..1 => "under 1 min".to_owned(),
        minutes @ 1..60 => format!("{minutes} min"),
        minutes @ 60..2_880 => format!("{} h", minutes / 60),
        minutes => format!("{} days", minutes / 1_440),
    }
}

/// Returns the day as text, and the time of day with milliseconds.
fn parts(at: Timestamp) -> (String, String) {
    let text = at.to_string();
    let (date, clock) = text.split_once('T').unwrap_or_default();
    let mut numbers = date.splitn(3, '-');
    let year = numbers.next().unwrap_or_default();
    let month = numbers.next().and_then(|month| month.parse::<usize>().ok()).unwrap_or(1);
    let day = numbers.next().unwrap_or_default().trim_start_matches('0');
    let month = MONTHS.get(month.saturating_sub(1)).copied().unwrap_or_default();
    (format!("{day} {month} {year}"), clock.trim_end_matches('Z').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_formatted_in_one_unit() {
        const MIN: i64 = 60_000;
        let spans = [
            (-5, "under 1 min"),
            (MIN - 1, "under 1 min"),
            (MIN, "1 min"),
            (60 * MIN - 1, "59 min"),
        ];
        let long = [(60 * MIN, "1 h"), (2_880 * MIN - 1, "47 h"), (2_880 * MIN, "2 days")];
        for (ms, expected) in spans.into_iter().chain(long) {
            assert_eq!(span(ms), expected);
        }
    }

    #[test]
    fn formatted_times_name_their_zone() {
        let at: Timestamp = "2026-11-02T23:04:11.302Z".parse().unwrap();
        assert_eq!(minute(at), "2 Nov 2026 23:04 UTC");
        assert_eq!(second(at), "2 Nov 2026 23:04:11");
        assert_eq!(clock(at), "23:04:11");
        assert_eq!(exact(at), "2 Nov 2026 23:04:11.302 UTC");
    }
}
