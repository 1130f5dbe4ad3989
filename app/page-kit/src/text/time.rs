//! Formats timestamps, with the time zone.
//!
//! Times are in the zone of the signed-in user, which the request contains. Public pages have no zone, so they show
//! the same text to everyone. Islands use the functions that end with `_utc`, because the browser does not know the
//! zones.

use contract::time::Timestamp;
use kit::text::time::{UTC, exact_in, minute_in, parts};
pub use kit::text::time::{clock_utc, exact_utc, minute_utc};

/// Formats a time to the minute, for example "20 Nov 2026 23:04 UTC".
pub fn minute(at: Timestamp) -> String {
    let (at, zone) = local(at);
    minute_in(at, &zone)
}

/// Formats a time to the second, for example "20 Nov 2026 23:04:11", for columns whose header names the zone.
pub fn second(at: Timestamp) -> String {
    let (day, clock) = parts(local(at).0);
    format!("{day} {}", clock.get(..8).unwrap_or_default())
}

/// Formats a time to the millisecond, for example "20 Nov 2026 23:04:11.302 UTC".
pub fn exact(at: Timestamp) -> String {
    let (at, zone) = local(at);
    exact_in(at, &zone)
}

/// Formats the exact time of a relative one: with UTC, if the clocks of the user differ from it.
pub fn tip(at: Timestamp) -> String {
    let (local, utc) = (exact(at), exact_utc(at));
    if local == utc { utc } else { format!("{local} ({utc})") }
}

/// Formats the day, for example "20 Nov 2026".
pub fn day(at: Timestamp) -> String {
    parts(local(at).0).0
}

/// Formats the time of day, for example "23:04:11".
pub fn clock(at: Timestamp) -> String {
    clock_utc(local(at).0)
}

/// Returns the value of a field for a date and time, for example "2026-11-20T23:04:11", with milliseconds if there
/// are any. A text that is not a time is unchanged.
pub fn field(text: &str) -> String {
    let Ok(at) = text.parse::<Timestamp>() else { return text.to_owned() };
    let text = local(at).0.to_string();
    text.trim_end_matches('Z').trim_end_matches(".000").to_owned()
}

/// Returns the first and the last time at which the clocks of the user show the digits of `local`. The two differ in
/// the hour that clocks repeat when they are set back. Digits that clocks skip become the first time after them.
pub fn instants(local: Timestamp) -> [Timestamp; 2] {
    zone_of_request().map_or([local; 2], |zone| zone.instants(local))
}

/// Returns the digits that the clocks of the user show, as a timestamp.
pub fn digits(at: Timestamp) -> Timestamp {
    local(at).0
}

/// Returns the label of a column or field of times with the zone of the times, for example "Changed
/// (Europe/Berlin)" for "Changed (UTC)". Other labels are unchanged.
pub fn head(head: &str) -> String {
    match head.strip_suffix("(UTC)") {
        Some(label) => format!("{label}({})", zone()),
        _ => head.to_owned(),
    }
}

/// Returns the time that the clocks of the user show, and the name of its offset.
fn local(at: Timestamp) -> (Timestamp, String) {
    zone_of_request().map_or_else(|| (at, UTC.to_owned()), |zone| zone.local(at))
}

/// Returns the time zone of the request; `None` for UTC.
fn zone_of_request() -> Option<governance::TimeZone> {
    let of_request = |parts: &http::request::Parts| parts.extensions.get().copied();
    leptos::prelude::with_context(of_request).flatten()
}

/// Returns the name of the time zone of the request, for example "Europe/Berlin".
pub fn zone() -> &'static str {
    zone_of_request().map_or(UTC, governance::TimeZone::name)
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

/// Formats the time since an event, for example "4 min ago". Less than a minute is "just now".
pub fn ago(elapsed_ms: i64) -> String {
    if elapsed_ms < 60_000 { "just now".to_owned() } else { format!("{} ago", span(elapsed_ms)) }
}

#[cfg(test)]
mod tests {
    use leptos::prelude::{Owner, provide_context};

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
        assert_eq!(tip(at), exact(at));
        assert_eq!(head("Changed (UTC)"), "Changed (UTC)");
    }

    #[test]
    fn digits_are_converted_across_a_change_of_the_offset() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        in_zone("Europe/Berlin", || {
            for (digits, first, last) in [
                ("2026-11-20T23:04:00Z", "2026-11-20T22:04:00.000Z", "2026-11-20T22:04:00.000Z"),
                // Clocks are set forward from 2:00 to 3:00, and back from 3:00 to 2:00.
                ("2026-03-29T02:30:00Z", "2026-03-29T01:00:00.000Z", "2026-03-29T01:00:00.000Z"),
                ("2026-10-25T02:30:00Z", "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"),
            ] {
                let both = instants(at(digits)).map(|at| at.to_string());
                assert_eq!(both, [first, last], "{digits}");
            }
        });
    }

    /// Runs `test` as a request of a user in a time zone.
    fn in_zone(name: &str, test: impl FnOnce()) {
        let (mut parts, ()) = http::Request::new(()).into_parts();
        parts.extensions.insert(governance::TimeZone::from_name(name).unwrap());
        Owner::new().with(|| {
            provide_context(parts);
            test();
        });
    }

    #[test]
    fn times_of_a_request_are_in_its_zone_across_a_change_of_the_offset() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        in_zone("Europe/Berlin", || {
            for (utc, expected) in [
                ("2026-03-29T00:59:59.999Z", "29 Mar 2026 01:59:59.999 CET"),
                ("2026-03-29T01:00:00Z", "29 Mar 2026 03:00:00.000 CEST"),
                ("2026-10-25T00:30:00Z", "25 Oct 2026 02:30:00.000 CEST"),
                ("2026-10-25T01:30:00Z", "25 Oct 2026 02:30:00.000 CET"),
                ("2026-12-31T23:30:00Z", "1 Jan 2027 00:30:00.000 CET"),
            ] {
                assert_eq!(exact(at(utc)), expected);
            }
            let new_year = at("2026-12-31T23:30:00Z");
            assert_eq!(minute(new_year), "1 Jan 2027 00:30 CET");
            assert_eq!(second(new_year), "1 Jan 2027 00:30:00");
            assert_eq!((&*day(new_year), &*clock(new_year)), ("1 Jan 2027", "00:30:00"));
            assert_eq!(minute_utc(new_year), "31 Dec 2026 23:30 UTC");
            let tip = tip(new_year);
            assert_eq!(tip, "1 Jan 2027 00:30:00.000 CET (31 Dec 2026 23:30:00.000 UTC)");
            assert_eq!(head("Changed (UTC)"), "Changed (Europe/Berlin)");
            assert_eq!(head("Policy"), "Policy");
        });
        in_zone("America/New_York", || {
            assert_eq!(field("2026-11-02T23:04:11Z"), "2026-11-02T18:04:11");
            assert_eq!(field("2026-11-02T23:04:11.500Z"), "2026-11-02T18:04:11.500");
            assert_eq!(field("soon"), "soon");
        });
        in_zone("America/Sao_Paulo", || {
            assert_eq!(minute(at("2026-01-01T00:00:00Z")), "31 Dec 2025 21:00 UTC-03:00");
        });
    }
}
