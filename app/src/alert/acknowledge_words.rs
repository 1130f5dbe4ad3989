//! Texts of `/t/{tenant}/alerts/acknowledge`.

use contract::alert::ACKNOWLEDGE_MAX;

use super::words::{ACKNOWLEDGE, alerts};
use crate::text::number::counted;

pub(crate) const ONLY_LISTED: &str = "Only the alerts listed here will be acknowledged.";
pub(crate) const NOTHING_OPEN_NOTE: &str =
    "No open alerts are selected. They may already have been acknowledged.";
pub(crate) const ALL_CHANGED_NOTE: &str =
    "Every selected alert is already acknowledged or has changed.";
pub(crate) const NOTHING_SELECTED: &str = "select at least one alert";
pub(crate) const TOO_MANY: &str = "you can change up to 500 alerts at a time";

pub(crate) fn acknowledge(number: usize) -> String {
    format!("{ACKNOWLEDGE} {}", alerts(number))
}

pub(crate) fn acknowledge_question(number: usize) -> String {
    format!("{}?", acknowledge(number))
}

/// Returns the number of matching alerts beyond the limit of one action.
pub(crate) fn more(more: u64) -> String {
    format!(
        "These are the newest {ACKNOWLEDGE_MAX}. {} more match and stay unchanged.",
        counted(more)
    )
}

/// Returns the lead of the list of selected alerts that the action will not change.
pub(crate) fn unaffected(number: usize) -> String {
    let (is, stays) = if number == 1 { ("is", "stays") } else { ("are", "stay") };
    format!(
        "{} of your selection {is} acknowledged or changed in the meantime, and {stays} unchanged:",
        alerts(number)
    )
}
