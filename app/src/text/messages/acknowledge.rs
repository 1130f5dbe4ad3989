//! Texts of `/t/{tenant}/alerts/acknowledge`.

use contract::alert::ACKNOWLEDGE_MAX;

use super::alerts::{ACKNOWLEDGE, alerts};
use crate::text::number::counted;

pub(crate) const SCOPE_NOTE: &str = "Only the alerts listed here will be acknowledged.";
pub(crate) const NOTHING_OPEN: &str = "Nothing to acknowledge";
pub(crate) const NOTHING_OPEN_NOTE: &str =
    "No open alerts are selected. They may already have been acknowledged.";
pub(crate) const COUNTED_HEAD: [&str; 2] = ["Rule", "Alerts"];
pub(crate) const NOTHING_SELECTED: &str = "select at least one alert";
pub(crate) const TOO_MANY: &str = "you can acknowledge up to 500 alerts at a time";

pub(crate) fn acknowledge(number: usize) -> String {
    format!("{ACKNOWLEDGE} {}", alerts(number))
}

/// Returns the number of matching alerts beyond the limit of one acknowledgement.
pub(crate) fn more(more: u64) -> String {
    format!(
        "These are the newest {ACKNOWLEDGE_MAX}. {} more match and will stay open.",
        counted(more)
    )
}

pub(crate) fn already_acknowledged(before: usize) -> String {
    let were = if before == 1 { "was" } else { "were" };
    format!("{} of your selection {were} already acknowledged.", alerts(before))
}
