//! Times and values in query parameters.

use std::str::FromStr;

use contract::time::Timestamp;

use super::{messages, time};

pub const BAD_FROM: &str = "From: enter a date and time, for example 2026-11-20T23:04.";
pub const BAD_TO: &str = "To: enter a date and time, for example 2026-11-20T23:04.";

pub fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Parses the value of a filter; an empty value is `None`.
pub fn parsed<T: FromStr>(text: &str) -> Result<Option<T>, &'static str> {
    non_empty(text).map(|text| text.parse()).transpose().map_err(|_| messages::BAD_FILTER)
}

/// Returns both ends of a range in UTC, if they are fields with a time in the zone of the user. A start that clocks
/// show twice is the first such time, an end the last. Texts that are no times, and times with their own offset, are
/// unchanged.
pub fn range_in_utc(from: &str, to: &str) -> (String, String) {
    let read = |text: &str, is_end: bool| if is_end { end_instant(text) } else { instant(text) };
    let utc = |text: &str, is_end: bool| match read(text, is_end) {
        Ok(Some(digits)) if text.parse::<Timestamp>().is_err() => {
            let [first, last] = time::instants(digits);
            if is_end { last.to_string() } else { first.to_string() }
        }
        _ => text.to_owned(),
    };
    (utc(from, false), utc(to, true))
}

/// Parses the value of a date and time field in UTC, such as `2026-11-20T23:04`, with or without seconds. A date and
/// a full timestamp are also accepted.
pub fn instant(text: &str) -> Result<Option<Timestamp>, ()> {
    if text.is_empty() {
        return Ok(None);
    }
    let read = |text: String| text.parse::<Timestamp>().ok();
    Timestamp::start_of_range(text)
        .or_else(|| read(format!("{text}Z")))
        .or_else(|| read(format!("{text}:00Z")))
        .map(Some)
        .ok_or(())
}

/// The error for a time of expiry that [`end_instant`] cannot parse.
pub const BAD_EXPIRES: &str = "Expires: enter a date and time, for example 2027-11-20T23:04.";

/// Parses the value of a date and time field as the inclusive end of a range or as a deadline, in UTC: a date means the
/// end of that day.
pub fn end_instant(text: &str) -> Result<Option<Timestamp>, ()> {
    Timestamp::end_of_range(text).map_or_else(|| instant(text), |end| Ok(Some(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_time_fields_are_parsed_as_utc() {
        for text in ["2026-11-20T23:04", "2026-11-20T23:04:00", "2026-11-20T23:04:00Z"] {
            assert_eq!(instant(text).unwrap().unwrap().to_string(), "2026-11-20T23:04:00.000Z");
        }
        assert_eq!(instant("2026-11-20").unwrap().unwrap().to_string(), "2026-11-20T00:00:00.000Z");
        assert_eq!(instant("yesterday"), Err(()));
    }

    #[test]
    fn a_day_as_an_end_means_its_end() {
        for (text, end) in [
            ("2026-11-20", "2026-11-20T23:59:59.999Z"),
            ("2026-11-20T23:04", "2026-11-20T23:04:00.000Z"),
            ("2026-11-20T23:04:11Z", "2026-11-20T23:04:11.000Z"),
        ] {
            assert_eq!(end_instant(text).unwrap().unwrap().to_string(), end, "{text}");
        }
        assert_eq!((end_instant(""), end_instant("yesterday")), (Ok(None), Err(())));
        let range = range_in_utc("2026-11-20", "2026-11-20");
        assert_eq!(range.0, "2026-11-20T00:00:00.000Z");
        assert_eq!(range.1, "2026-11-20T23:59:59.999Z");
    }

    #[test]
    fn only_times_without_an_offset_are_converted_to_utc() {
        let range = range_in_utc("2026-11-20T23:04", "soon");
        assert_eq!(range, ("2026-11-20T23:04:00.000Z".to_owned(), "soon".to_owned()));
        let range = range_in_utc("", "2026-11-20T23:04:00Z");
        assert_eq!(range, (String::new(), "2026-11-20T23:04:00Z".to_owned()));
    }
}
