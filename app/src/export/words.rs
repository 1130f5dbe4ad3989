//! Texts of `/t/{tenant}/decisions/export`.

pub(crate) const TITLE: &str = "Export decisions";
pub(crate) const INTRO: &str = "Downloads every decision that matches the filters and was recorded in the time range. The export is recorded in the audit log.";
pub(crate) const RANGE: &str = "Time range";
pub(crate) const FROM: &str = "From";
pub(crate) const TO: &str = "To";
pub(crate) const ZONE: &str = "Time zone";
pub(crate) const ZONE_HINT: &str = "An export is in UTC, unless you select another zone for its range and the times in a CSV file. JSON Lines always contain UTC.";
pub(crate) const UTC: &str = "UTC";
pub(crate) const FILTERS: &str = "Filters";
pub(crate) const FORMAT: &str = "Format";
pub(crate) const CSV: &str = "CSV";
pub(crate) const CSV_HINT: &str = "One row per decision with its main values.";
pub(crate) const LINES: &str = "JSON Lines";
pub(crate) const LINES_HINT: &str = "One complete record per line, exactly as stored.";
pub(crate) const DOWNLOAD: &str = "Download";
pub(crate) const NO_RANGE: &str = "Select a start and end time to export.";
pub(crate) const BAD_FROM: &str = "From: enter a date and time.";
pub(crate) const BAD_TO: &str = "To: enter a date and time.";
pub(crate) const BAD_ORDER: &str = "From must not be after To.";
pub(crate) const BAD_ZONE: &str = "Time zone: select a value from the list.";
pub(crate) const BAD_FORMAT: &str = "Format: select CSV or JSON Lines.";
