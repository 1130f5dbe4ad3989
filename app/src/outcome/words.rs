//! Texts of `/t/{tenant}/decisions/{decision}/outcome`.

use contract::outcome::OutcomeStatus;

pub(crate) const TITLE: &str = "Record the outcome";
#[cfg(feature = "ssr")]
pub(crate) const OUTCOME: &str = "Outcome";
#[cfg(feature = "ssr")]
pub(crate) const OPEN: &str = "Outcome…";
pub(crate) const HELP: &str =
    "Record what happened after the verdict. An outcome cannot be changed later.";
pub(crate) const STATUS: &str = "What happened";
pub(crate) const NOTE: &str = "Note (optional)";
pub(crate) const NOTE_HINT: &str = "Up to 2,000 characters. Visible to everyone in the tenant.";
pub(crate) const REFERENCE: &str = "Your own reference (optional)";
pub(crate) const OCCURRED_AT: &str = "When it happened (UTC, optional)";
pub(crate) const RECORD: &str = "Record the outcome";
#[cfg(feature = "ssr")]
pub(crate) const REFERENCE_SHORT: &str = "Reference";
#[cfg(feature = "ssr")]
pub(crate) const NOTE_SHORT: &str = "Note";
#[cfg(feature = "ssr")]
pub(crate) const OCCURRED: &str = "Happened";
#[cfg(feature = "ssr")]
pub(crate) const RECORDED_AT: &str = "Recorded";
pub(crate) const SHOW_DECISION: &str = "Show the decision";
pub(crate) const YOUR_NOTE: &str = "Your note was not recorded:";

pub(crate) const STATUSES: [(&str, &str); 6] = [
    ("", "Choose"),
    ("accepted", "Accepted: the verdict was followed"),
    ("overridden", "Overridden: someone decided differently"),
    ("escalated", "Escalated: passed to a higher level"),
    ("expired", "Expired: time ran out before anyone acted"),
    ("abandoned", "Abandoned: the request was withdrawn"),
];

pub(crate) fn status(status: OutcomeStatus) -> &'static str {
    match status {
        OutcomeStatus::Accepted => "Accepted",
        OutcomeStatus::Overridden => "Overridden",
        OutcomeStatus::Escalated => "Escalated",
        OutcomeStatus::Expired => "Expired",
        OutcomeStatus::Abandoned => "Abandoned",
    }
}
