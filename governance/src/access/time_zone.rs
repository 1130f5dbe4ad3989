//! The time zones in which pages show times to a user.

use chrono::{DateTime, Offset as _, TimeZone as _};
use chrono_tz::{OffsetName as _, TZ_VARIANTS, Tz};
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
        let utc = DateTime::from_timestamp_millis(at.millis()).unwrap_or_default().naive_utc();
        let offset = self.0.offset_from_utc_datetime(&utc);
        let fixed = offset.fix();
        let letters = |name: &&str| name.starts_with(|first: char| first.is_ascii_alphabetic());
        let name = offset.abbreviation().filter(letters);
        let name = name.map_or_else(|| format!("UTC{fixed}"), str::to_owned);
        (at.plus_millis(i64::from(fixed.local_minus_utc()) * 1_000), name)
    }
}
