//! The form of an export: filters, time range, time zone and format.

use contract::{decision::DecisionFilter, time::Timestamp};
use serde::{Deserialize, Serialize};

use super::words as strings;
use crate::{
    decision::view::Suggestions,
    text::{
        query::{DecisionQuery, ListQuery as _, end_instant, instant},
        url,
    },
};

/// The formats: the value in the form, which is also the file extension.
pub const FORMATS: [&str; 2] = ["csv", "ndjson"];

/// The offsets from UTC that are in use, in minutes.
const OFFSETS: [i16; 38] = [
    -720, -660, -600, -570, -540, -480, -420, -360, -300, -240, -210, -180, -120, -60, 0, 60, 120,
    180, 210, 240, 270, 300, 330, 345, 360, 390, 420, 480, 525, 540, 570, 600, 630, 660, 720, 765,
    780, 840,
];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportPage {
    pub query: ExportQuery,
    /// The error in the form, if it was submitted.
    pub error: Option<String>,
    pub suggestions: Suggestions,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportQuery {
    /// The filters. The times `from` and `to` are in the zone.
    pub filters: DecisionQuery,
    /// The offset from UTC, for example `+01:00`; empty for UTC.
    pub zone: String,
    pub format: String,
    /// Whether the form was submitted, so that the page shows its errors.
    pub is_submitted: bool,
}

/// A valid export form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedExport {
    pub filter: DecisionFilter,
    pub from: Timestamp,
    pub to: Timestamp,
    /// One of [`FORMATS`].
    pub format: &'static str,
    pub offset_minutes: i16,
}

impl ExportQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self {
            filters: DecisionQuery::read(get),
            zone: text("zone"),
            format: text("format"),
            is_submitted: !text("submitted").is_empty(),
        }
    }

    /// Returns the form with the default range, the 24 hours before `now`, and the default format. A range of the
    /// decision list, such as the last 7 days, becomes a start and an end.
    #[must_use]
    pub fn with_defaults(mut self, now: Timestamp) -> Self {
        let offset = self.offset_minutes().unwrap_or_default();
        let local = |at: Timestamp| {
            let text = at.plus_millis(i64::from(offset) * 60_000).to_string();
            text.get(..19).unwrap_or_default().to_owned()
        };
        // Links of other pages contain times in UTC.
        for text in [&mut self.filters.from, &mut self.filters.to] {
            if let Ok(at) = text.parse() {
                *text = local(at);
            }
        }
        if !self.is_submitted && self.filters.from.is_empty() {
            self.filters.from = local(self.filters.range_start(now));
        }
        if !self.is_submitted && self.filters.to.is_empty() {
            self.filters.to = local(now);
        }
        if self.format.is_empty() {
            FORMATS[0].clone_into(&mut self.format);
        }
        self.filters.range.clear();
        self
    }

    /// Returns the address of the form with these values and its errors.
    pub fn address(&self, path: &str) -> String {
        let filters = self.filters.address(path, "");
        let own = [("zone", &*self.zone), ("format", &*self.format), ("submitted", "1")];
        let own = url::with_query("", &own);
        if filters == path { filters + &own } else { filters + &own.replacen('?', "&", 1) }
    }

    fn offset_minutes(&self) -> Option<i16> {
        if self.zone.is_empty() {
            return Some(0);
        }
        OFFSETS.into_iter().find(|offset| zone(*offset) == self.zone)
    }

    /// Returns the requested export.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn select(&self) -> Result<SelectedExport, &'static str> {
        let offset_minutes = self.offset_minutes().ok_or(strings::BAD_ZONE)?;
        let time = |text: &str, read: ReadTime| local_time(text, read, offset_minutes);
        if self.filters.from.is_empty() || self.filters.to.is_empty() {
            return Err(strings::NO_RANGE);
        }
        let from = time(&self.filters.from, instant).ok_or(strings::BAD_FROM)?;
        let to = time(&self.filters.to, end_instant).ok_or(strings::BAD_TO)?;
        if from > to {
            return Err(strings::BAD_ORDER);
        }
        let format = FORMATS.into_iter().find(|format| *format == self.format);
        let format = format.ok_or(strings::BAD_FORMAT)?;
        let filters = DecisionQuery {
            range: String::new(),
            from: String::new(),
            to: String::new(),
            ..self.filters.clone()
        };
        Ok(SelectedExport { filter: filters.filter()?, from, to, format, offset_minutes })
    }
}

/// Reads the start or the end of a range.
type ReadTime = fn(&str) -> Result<Option<Timestamp>, ()>;

/// Parses a time of the form. A time with its own offset is also accepted.
fn local_time(text: &str, read: ReadTime, offset_minutes: i16) -> Option<Timestamp> {
    if let Ok(at) = text.parse() {
        return Some(at);
    }
    let utc = read(text).ok()??;
    Some(utc.plus_millis(i64::from(offset_minutes) * -60_000))
}

/// Returns the value of a time zone in the form, for example `+01:00`; empty for UTC.
fn zone(offset_minutes: i16) -> String {
    if offset_minutes == 0 {
        return String::new();
    }
    let sign = if offset_minutes < 0 { '-' } else { '+' };
    let minutes = offset_minutes.unsigned_abs();
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Returns the value and the label of each time zone, UTC first.
pub fn zones() -> impl Iterator<Item = (String, String)> {
    let utc = (String::new(), strings::UTC.to_owned());
    let others = OFFSETS.into_iter().filter(|offset| *offset != 0).map(zone);
    std::iter::once(utc).chain(others.map(|zone| {
        let label = format!("{}{zone}", strings::UTC);
        (zone, label)
    }))
}

/// Returns the name of an export file without its extension, for example `acme-decisions-2026-11-22`: the tenant
/// in lower-case letters and digits, and the day of `now` in the zone of the export.
pub fn file_name(tenant_name: &str, now: Timestamp, offset_minutes: i16) -> String {
    const NAME_MAX: usize = 60;
    let mut name = String::new();
    for letter in tenant_name.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            name.push(letter);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(NAME_MAX);
    let name = name.trim_end_matches('-');
    let name = if name.is_empty() { "tenant" } else { name };
    let day = now.plus_millis(i64::from(offset_minutes) * 60_000).to_string();
    format!("{name}-decisions-{}", day.get(..10).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn query(pairs: &[(&str, &str)]) -> ExportQuery {
        ExportQuery::read(&|name| {
            pairs.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_default_range_is_the_last_24_hours_in_the_zone() {
        let now = at("2026-11-22T10:00:00.500Z");
        let filters = query(&[]).with_defaults(now).filters;
        assert_eq!((&*filters.from, &*filters.to), ("2026-11-21T10:00:00", "2026-11-22T10:00:00"));
        let week = query(&[("range", "7d"), ("zone", "+01:00")]).with_defaults(now);
        assert_eq!(week.filters.from, "2026-11-15T11:00:00");
        assert_eq!(week.format, "csv");
        let linked = query(&[("from", "2026-11-21T23:30:00.000Z"), ("zone", "+01:00")]);
        assert_eq!(linked.with_defaults(now).filters.from, "2026-11-22T00:30:00");
    }

    #[test]
    fn times_are_read_in_the_zone() {
        let selected = query(&[
            ("from", "2026-11-22T00:00"),
            ("to", "2026-11-22T12:00:00Z"),
            ("zone", "-05:00"),
            ("format", "ndjson"),
            ("verdict", "DENY"),
        ]);
        let selected = selected.select().unwrap();
        assert_eq!(selected.from, at("2026-11-22T05:00:00Z"));
        assert_eq!(selected.to, at("2026-11-22T12:00:00Z"));
        assert_eq!((selected.format, selected.offset_minutes), ("ndjson", -300));
        assert!(selected.filter.decision.is_some());
    }

    #[test]
    fn the_last_day_is_part_of_an_export() {
        let days = [("from", "2026-11-21"), ("to", "2026-11-22"), ("zone", "+01:00")];
        let selected = query(&[&days[..], &[("format", "csv")]].concat()).select().unwrap();
        assert_eq!(selected.from, at("2026-11-20T23:00:00Z"));
        assert_eq!(selected.to, at("2026-11-22T22:59:59.999Z"));
    }

    #[test]
    fn invalid_values_are_reported() {
        let range = [("from", "2026-11-22"), ("to", "2026-11-21")];
        assert_eq!(query(&range).select(), Err(strings::BAD_ORDER));
        assert_eq!(query(&[("from", "2026-11-22")]).select(), Err(strings::NO_RANGE));
        let unreadable = [("from", "soon"), ("to", "2026-11-21")];
        assert_eq!(query(&unreadable).select(), Err(strings::BAD_FROM));
        assert_eq!(query(&[("zone", "+00:07")]).select(), Err(strings::BAD_ZONE));
        let to_format = [("from", "2026-11-20"), ("to", "2026-11-21"), ("format", "xlsx")];
        assert_eq!(query(&to_format).select(), Err(strings::BAD_FORMAT));
    }

    #[test]
    fn the_file_name_has_the_tenant_and_the_day() {
        let now = at("2026-11-22T23:30:00Z");
        assert_eq!(file_name("Acme", now, 0), "acme-decisions-2026-11-22");
        assert_eq!(file_name(" Müller & Söhne/.. ", now, 60), "m-ller-s-hne-decisions-2026-11-23");
        assert_eq!(file_name("東京", now, 0), "tenant-decisions-2026-11-22");
    }
}
