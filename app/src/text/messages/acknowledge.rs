//! Texts of `/t/{tenant}/alerts/acknowledge`.

use contract::alert::ACKNOWLEDGE_MAX;

use super::alerts::{ACKNOWLEDGE, alerts};
use crate::text::number::counted;

pub(crate) const NOT_AMONG: &str =
    "Only these are acknowledged. What is raised after this page was made is not among them.";
pub(crate) const NOTHING_OPEN: &str = "Nothing to acknowledge";
pub(crate) const NOTHING_OPEN_SAYS: &str =
    "No alert was ticked, or none of them is open any more: somebody has acknowledged them.";
pub(crate) const COUNTED_HEAD: [&str; 2] = ["Rule", "Alerts"];
pub(crate) const NOTHING_SELECTED: &str = "tick at least one alert";
pub(crate) const TOO_MANY: &str = "500 alerts are acknowledged at once at the most";

/// Returns the label of the button, with the number of alerts.
pub(crate) fn acknowledge(number: usize) -> String {
    format!("{ACKNOWLEDGE} {}", alerts(number))
}

/// Returns the number of matching alerts beyond the limit of one acknowledgement.
pub(crate) fn more(more: u64) -> String {
    format!("These are the newest {ACKNOWLEDGE_MAX}. {} more match, and stay open.", counted(more))
}

/// Returns the number of selected alerts that were already acknowledged.
pub(crate) fn before(before: usize) -> String {
    let were = if before == 1 { "was" } else { "were" };
    format!("{} of those you ticked {were} acknowledged before.", alerts(before))
}
