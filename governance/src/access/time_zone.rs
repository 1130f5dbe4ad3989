//! The time zones in which pages show times to a user.

use chrono::{DateTime, LocalResult, NaiveDateTime, Offset as _, TimeZone as _};
use chrono_tz::{GapInfo, OffsetName as _, TZ_VARIANTS, Tz};
use contract::time::Timestamp;

/// A time zone of the IANA database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeZone(Tz);

/// The first parts of the names in [`TimeZone::names`].
const AREAS: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

impl TimeZone {
    /// The zone of accounts that have none.
    pub(super) const UTC: Self = Self(Tz::UTC);

    /// Returns the zone with an IANA name such as `Europe/Berlin`, without regard to case.
    pub fn from_name(name: &str) -> Option<Self> {
        TZ_VARIANTS.iter().copied().find(|zone| zone.name().eq_ignore_ascii_case(name)).map(Self)
    }

    /// Returns the IANA name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns the names of UTC and of all zones with an area and a place. [`Self::from_name`] also accepts
    /// other names of the database, such as `EST`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let has_area =
            |name: &&str| name.split_once('/').is_some_and(|(area, _)| AREAS.contains(&area));
        let places = TZ_VARIANTS.iter().copied().map(Tz::name).filter(has_area);
        std::iter::once(Self::UTC.name()).chain(places)
    }

    /// Returns the time that clocks in the zone show at `at`, as the timestamp with these digits, and the name of
    /// the offset: an abbreviation such as `CET`, or `UTC-03:00` in zones without one.
    pub fn local(self, at: Timestamp) -> (Timestamp, String) {
        let offset = self.0.offset_from_utc_datetime(&digits(at));
        let fixed = offset.fix();
        let letters = |name: &&str| name.starts_with(|first: char| first.is_ascii_alphabetic());
        let name = offset.abbreviation().filter(letters);
        let name = name.map_or_else(|| format!("UTC{fixed}"), str::to_owned);
        (at.plus_millis(i64::from(fixed.local_minus_utc()) * 1_000), name)
    }

    /// Returns the first and the last time at which clocks in the zone show the digits of `local`. They differ only
    /// in the hour that clocks repeat when they are set back. If clocks skip the digits because they are set
    /// forward, both are the first time after the gap: no time is between the digits and the end of the gap.
    pub fn instants(self, local: Timestamp) -> [Timestamp; 2] {
        let shown = digits(local);
        let at = |time: DateTime<Tz>| Timestamp::from_millis(time.timestamp_millis());
        let [first, last] = match self.0.from_local_datetime(&shown) {
            LocalResult::Single(time) => [at(time); 2],
            LocalResult::Ambiguous(first, last) => [at(first), at(last)],
            LocalResult::None => {
                let end = GapInfo::new(&shown, &self.0).and_then(|gap| gap.end);
                [end.and_then(at); 2]
            }
        };
        [first.unwrap_or(local), last.unwrap_or(local)]
    }
}

/// Returns the digits of a timestamp.
fn digits(at: Timestamp) -> NaiveDateTime {
    DateTime::from_timestamp_millis(at.millis()).unwrap_or_default().naive_utc()
}
