//! Timestamps: UTC in whole milliseconds, with one text form.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Datelike, NaiveDate, Timelike, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A timestamp in milliseconds since 1970-01-01T00:00:00Z, within the years 0000 to 9999.
///
/// It is written as `YYYY-MM-DDTHH:MM:SS.mmmZ`, and parsed from RFC 3339 with an offset and truncated to
/// milliseconds. Second 60 and offsets above 23:59 are rejected (receipts, section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The error for a text that is not an RFC 3339 timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTimestampError;

/// The length of a day in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

const YEAR_0000_MS: i64 = -62_167_219_200_000;
const YEAR_9999_END_MS: i64 = 253_402_300_799_999;

impl Timestamp {
    /// Returns the timestamp `ms` milliseconds after 1970, or `None` outside the years 0000 to 9999.
    pub const fn from_millis(ms: i64) -> Option<Self> {
        if ms < YEAR_0000_MS || ms > YEAR_9999_END_MS { None } else { Some(Self(ms)) }
    }

    /// Returns the milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Returns the timestamp `ms` milliseconds later, or earlier if negative. Saturates at the years 0000 and
    /// 9999.
    #[must_use]
    pub const fn plus_millis(self, ms: i64) -> Self {
        let sum = self.0.saturating_add(ms);
        if sum < YEAR_0000_MS {
            Self(YEAR_0000_MS)
        } else if sum > YEAR_9999_END_MS {
            Self(YEAR_9999_END_MS)
        } else {
            Self(sum)
        }
    }

    /// Returns the RFC 3339 text with an offset from UTC in minutes, for example
    /// `2026-11-22T10:00:00.000+01:00`. An offset of 0 is written as `Z`.
    pub fn with_offset(self, offset_minutes: i16) -> String {
        if offset_minutes == 0 {
            return self.to_string();
        }
        let local = self.plus_millis(i64::from(offset_minutes) * 60_000).to_string();
        let sign = if offset_minutes < 0 { '-' } else { '+' };
        let minutes = offset_minutes.unsigned_abs();
        format!("{}{sign}{:02}:{:02}", local.trim_end_matches('Z'), minutes / 60, minutes % 60)
    }

    /// Returns the start of the day `YYYY-MM-DD` in UTC.
    pub fn from_date(text: &str) -> Option<Self> {
        let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
        Self::from_millis(days_since_1970(bytes)?.checked_mul(DAY_MS)?)
    }

    /// Parses the start of a range: an RFC 3339 time, or a date `YYYY-MM-DD` for the start of that day in UTC.
    pub fn start_of_range(text: &str) -> Option<Self> {
        text.parse().ok().or_else(|| Self::from_date(text))
    }

    /// Parses the inclusive end of a range: an RFC 3339 time, or a date `YYYY-MM-DD` for the last millisecond of that
    /// day in UTC.
    pub fn end_of_range(text: &str) -> Option<Self> {
        let end_of_day = || Some(Self::from_date(text)?.plus_millis(DAY_MS - 1));
        text.parse().ok().or_else(end_of_day)
    }
}

/// Returns the days from 1970-01-01 to the date `YYYY-MM-DD`.
fn days_since_1970(text: &[u8; 10]) -> Option<i64> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else { return None };
    let year = two_digits([*y1, *y2])? * 100 + two_digits([*y3, *y4])?;
    let date = NaiveDate::from_ymd_opt(
        i32::try_from(year).ok()?,
        u32::try_from(two_digits([*m1, *m2])?).ok()?,
        u32::try_from(two_digits([*d1, *d2])?).ok()?,
    )?;
    Some(i64::from(date.num_days_from_ce()) - DAYS_BEFORE_1970)
}

/// `num_days_from_ce` of 1970-01-01.
const DAYS_BEFORE_1970: i64 = 719_163;

fn two_digits(digits: [u8; 2]) -> Option<i64> {
    let [a, b] = digits;
    (a.is_ascii_digit() && b.is_ascii_digit())
        .then(|| i64::from(a - b'0') * 10 + i64::from(b - b'0'))
}

impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    fn from_str(text: &str) -> Result<Self, ParseTimestampError> {
        parse_rfc3339(text.as_bytes()).ok_or(ParseTimestampError)
    }
}

/// Parses an RFC 3339 `date-time` (section 5.6); `T` and `Z` can be in either case.
fn parse_rfc3339(text: &[u8]) -> Option<Timestamp> {
    let (date, rest) = text.split_first_chunk::<10>()?;
    let (clock, rest) = rest.split_first_chunk::<9>()?;
    let [b'T' | b't', h1, h2, b':', m1, m2, b':', s1, s2] = clock else { return None };
    let (hour, minute, second) =
        (two_digits([*h1, *h2])?, two_digits([*m1, *m2])?, two_digits([*s1, *s2])?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (millis, zone) = fraction(rest)?;
    let offset_minutes = match zone {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (two_digits([*h1, *h2])?, two_digits([*m1, *m2])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let total = hours * 60 + minutes;
            if *sign == b'-' { -total } else { total }
        }
        _ => return None,
    };
    let minutes = days_since_1970(date)? * 1_440 + hour * 60 + minute - offset_minutes;
    Timestamp::from_millis(minutes * 60_000 + second * 1_000 + millis)
}

/// Returns the milliseconds of an optional fraction and the text after it. Digits after the third are
/// ignored.
fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let [b'.', digits @ ..] = text else { return Some((0, text)) };
    let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 {
        return None;
    }
    let (digits, rest) = digits.split_at_checked(count)?;
    let millis = (0..3).fold(0, |sum, index| {
        sum * 10 + digits.get(index).map_or(0, |digit| i64::from(digit - b'0'))
    });
    Some((millis, rest))
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = DateTime::<Utc>::from_timestamp_millis(self.0).unwrap_or_default();
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            time.year(),
            time.month(),
            time.day(),
            time.hour(),
            time.minute(),
            time.second(),
            time.timestamp_subsec_millis()
        )
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|ParseTimestampError| D::Error::custom("not an RFC 3339 timestamp"))
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        crate::schema::string_with_format(utoipa::openapi::KnownFormat::DateTime)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        text.parse::<Timestamp>().ok().map(|time| time.to_string())
    }

    #[test]
    fn timestamps_are_written_in_utc_with_milliseconds() {
        assert_eq!(read("2026-09-01T12:00:00+02:00").as_deref(), Some("2026-09-01T10:00:00.000Z"));
        assert_eq!(read("2026-09-01t10:00:03.2509z").as_deref(), Some("2026-09-01T10:00:03.250Z"));
        assert_eq!(read("1969-12-31T23:59:59.9999Z").as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(read("2024-02-29T00:00:00-23:59").as_deref(), Some("2024-02-29T23:59:00.000Z"));
    }

    #[test]
    fn texts_other_than_rfc_3339_are_rejected() {
        for text in [
            "",
            "2026-09-01",
            "2026-09-01T10:00:00",
            "2026-09-01 10:00:00Z",
            "2026-09-01T10:00:60Z",
            "2026-02-29T10:00:00Z",
            "2026-09-01T24:00:00Z",
            "2026-09-01T10:00:00.Z",
            "2026-09-01T10:00:00+24:00",
            "2026-09-01T10:00:00+2:00",
            "0000-01-01T00:00:00+00:01",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn date_parses_as_the_start_of_its_day() {
        assert_eq!(Timestamp::from_date("1970-01-02"), Timestamp::from_millis(DAY_MS));
        assert_eq!(Timestamp::from_date("2026-13-01"), None);
    }

    #[test]
    fn a_day_as_the_end_of_a_range_means_its_end() {
        let start = |text| Timestamp::start_of_range(text).map(|time| time.to_string());
        let end = |text| Timestamp::end_of_range(text).map(|time| time.to_string());
        assert_eq!(start("2026-09-30").as_deref(), Some("2026-09-30T00:00:00.000Z"));
        assert_eq!(end("2026-09-30").as_deref(), Some("2026-09-30T23:59:59.999Z"));
        assert_eq!(end("9999-12-31").as_deref(), Some("9999-12-31T23:59:59.999Z"));
        for ends in [start, end] {
            let time = "2026-09-30T12:00:00+02:00";
            assert_eq!(ends(time).as_deref(), Some("2026-09-30T10:00:00.000Z"));
            assert_eq!(ends("2026-09-31"), None);
        }
    }
}
