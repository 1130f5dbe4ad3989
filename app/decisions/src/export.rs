//! Exports of decisions: the form, which posts to the server, and its values.

use governance::deciding::decision::{ExportFormat, ExportRequest};
use page_kit::prelude::*;

use crate::decision::{
    self,
    filters::{DecisionQuery, Suggestions},
};

const NO_RANGE: &str = "Select a start and end time to export.";
const BAD_FROM: &str = "From: enter a date and time.";
const BAD_TO: &str = "To: enter a date and time.";
const BAD_ORDER: &str = "From must not be after To.";
const BAD_ZONE: &str = "Time zone: select a value from the list.";
const BAD_FORMAT: &str = "Format: select CSV or JSON Lines.";

/// `/t/{tenant}/decisions/export`
pub async fn export() -> PageResult {
    let (tenant, cx) = page::member().await?;
    cx.tenant(permission::EXPORT_DECISIONS)?;
    let suggestions = Suggestions::read(&cx).await?;
    let query = ExportQuery::suggesting(suggestions, &|name| Some(page::query(name)));
    let query = query.with_defaults(cx.now);
    let error = query.is_submitted.then(|| query.select().err()).flatten();
    let ExportQuery { filters, from, to, zone, format, .. } = &query;
    let time = |label: &'static str, name: &'static str, value: &str| {
        let value = value.to_owned();
        view! { <TextField label name kind="datetime-local" value required=true /> }
    };
    Ok(any_view! {
        <Crumb href=url::decisions(tenant) label=decision::TITLE />
        <div class="page-head">
            <Heading title="Export decisions" />
        </div>
        <p class="intro">
            "Downloads every decision that matches the filters and was recorded in the time range. The export is recorded in the audit log."
        </p>
        {error.map(|error| note(Tone::Warn, Some("alert"), error))}
        <form method="post" action=url::EXPORT class="card export-form stack">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <fieldset class="bare">
                <legend>"Time range"</legend>
                <div class="filters">
                    {time("From", "from", from)} {time("To", "to", to)} {zone_field(zone)}
                </div>
            </fieldset>
            <fieldset class="bare">
                <legend>"Filters"</legend>
                <div class="filters">{filters.list.all_fields()}</div>
            </fieldset>
            <fieldset class="bare">
                <legend>"Format"</legend>
                {format_choice(format, "csv", "CSV", "One row per decision with its main values.")}
                {format_choice(
                    format,
                    "ndjson",
                    "JSON Lines",
                    "One complete record per line, exactly as stored.",
                )}
            </fieldset>
            <div class="row">
                <button class="primary">"Download"</button>
            </div>
        </form>
    })
}

/// Returns the export that the posted fields of the form request, or the address of the form with its error.
///
/// # Errors
/// The address, if a field is invalid.
pub fn request(
    tenant: TenantId,
    field: &dyn Fn(&str) -> Option<String>,
) -> Result<ExportRequest, String> {
    let query = ExportQuery::read(field);
    query.select().map_err(|_| query.address(&url::export_page(tenant)))
}

fn zone_field(zone: &str) -> AnyView {
    any_view! {
        <div class="field">
            <label for="zone">"Time zone"</label>
            <select id="zone" name="zone" aria-describedby="zone-hint">
                {options(zones(), zone)}
            </select>
        </div>
        <small id="zone-hint" class="text-muted text-xs">
            "An export is in UTC, unless you select another zone for its range and the times in a CSV file. JSON Lines always contain UTC."
        </small>
    }
}

fn format_choice(
    selected: &str,
    value: &'static str,
    label: &'static str,
    hint: &'static str,
) -> AnyView {
    any_view! {
        <label class="checkbox">
            <input type="radio" name="format" value=value checked=selected == value />
            <span>{label} " " <span class="text-muted text-xs">{hint}</span></span>
        </label>
    }
}

/// The offsets from UTC that are in use, in minutes.
const OFFSETS: [i16; 38] = [
    -720, -660, -600, -570, -540, -480, -420, -360, -300, -240, -210, -180, -120, -60, 0, 60, 120,
    180, 210, 240, 270, 300, 330, 345, 360, 390, 420, 480, 525, 540, 570, 600, 630, 660, 720, 765,
    780, 840,
];

/// The values of the form.
#[derive(Debug)]
struct ExportQuery {
    filters: DecisionQuery,
    /// The start of the range, in the zone.
    from: String,
    to: String,
    /// The offset from UTC, for example `+01:00`; empty for UTC.
    zone: String,
    format: String,
    /// Whether the form was submitted, so that the page shows its errors.
    is_submitted: bool,
}

impl ExportQuery {
    fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        Self::suggesting(Suggestions::default(), get)
    }

    fn suggesting(suggestions: Suggestions, get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| get(name).unwrap_or_default().trim().to_owned();
        Self {
            filters: DecisionQuery::read(String::new(), suggestions, text),
            from: text("from"),
            to: text("to"),
            zone: text("zone"),
            format: text("format"),
            is_submitted: !text("submitted").is_empty(),
        }
    }

    /// Returns the form with the default range, the 24 hours before `now`, and the default format. A range of the
    /// decision list, such as the last 7 days, becomes a start and an end.
    #[must_use]
    fn with_defaults(mut self, now: Timestamp) -> Self {
        let offset = self.offset_minutes().unwrap_or_default();
        let local = |at: Timestamp| {
            let text = at.plus_millis(i64::from(offset) * 60_000).to_string();
            text.get(..19).unwrap_or_default().to_owned()
        };
        // Links of other pages contain times in UTC.
        for text in [&mut self.from, &mut self.to] {
            if let Ok(at) = text.parse() {
                *text = local(at);
            }
        }
        if !self.is_submitted && self.from.is_empty() {
            self.from = local(self.filters.range_start(now));
        }
        if !self.is_submitted && self.to.is_empty() {
            self.to = local(now);
        }
        if self.format.is_empty() {
            "csv".clone_into(&mut self.format);
        }
        self
    }

    /// Returns the address of the form with these values and its errors.
    fn address(&self, path: &str) -> String {
        let own = [
            ("range", ""),
            ("from", &*self.from),
            ("to", &self.to),
            ("zone", &self.zone),
            ("format", &self.format),
            ("submitted", "1"),
        ];
        format!("{path}{}", self.filters.list.address(&own))
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
    fn select(&self) -> Result<ExportRequest, &'static str> {
        let offset_minutes = self.offset_minutes().ok_or(BAD_ZONE)?;
        let time = |text: &str, read: ReadTime| local_time(text, read, offset_minutes);
        if self.from.is_empty() || self.to.is_empty() {
            return Err(NO_RANGE);
        }
        let from = time(&self.from, instant).ok_or(BAD_FROM)?;
        let to = time(&self.to, end_instant).ok_or(BAD_TO)?;
        if from > to {
            return Err(BAD_ORDER);
        }
        let format = ExportFormat::from_name(&self.format).ok_or(BAD_FORMAT)?;
        let filter = self.filters.filter_of_any_time()?;
        Ok(ExportRequest { filter, from, to, format, offset_minutes })
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
fn zones() -> impl Iterator<Item = (String, String)> {
    let utc = (String::new(), "UTC".to_owned());
    let others = OFFSETS.into_iter().filter(|offset| *offset != 0).map(zone);
    std::iter::once(utc).chain(others.map(|zone| {
        let label = format!("UTC{zone}");
        (zone, label)
    }))
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
        let day = query(&[]).with_defaults(now);
        assert_eq!((&*day.from, &*day.to), ("2026-11-21T10:00:00", "2026-11-22T10:00:00"));
        let week = query(&[("range", "7d"), ("zone", "+01:00")]).with_defaults(now);
        assert_eq!(week.from, "2026-11-15T11:00:00");
        assert_eq!(week.format, "csv");
        let linked = query(&[("from", "2026-11-21T23:30:00.000Z"), ("zone", "+01:00")]);
        assert_eq!(linked.with_defaults(now).from, "2026-11-22T00:30:00");
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
        assert_eq!((selected.format, selected.offset_minutes), (ExportFormat::Ndjson, -300));
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
        assert_eq!(query(&range).select().err(), Some(BAD_ORDER));
        assert_eq!(query(&[("from", "2026-11-22")]).select().err(), Some(NO_RANGE));
        let unreadable = [("from", "soon"), ("to", "2026-11-21")];
        assert_eq!(query(&unreadable).select().err(), Some(BAD_FROM));
        assert_eq!(query(&[("zone", "+00:07")]).select().err(), Some(BAD_ZONE));
        let to_format = [("from", "2026-11-20"), ("to", "2026-11-21"), ("format", "xlsx")];
        assert_eq!(query(&to_format).select().err(), Some(BAD_FORMAT));
    }
}
