//! `/t/{tenant}/alerts`

use contract::alert::AlertType;

use crate::text::number::{count, counted};

pub(crate) const TITLE: &str = "Alerts";
pub(crate) const OPEN: &str = "Unacknowledged";
pub(crate) const ACKNOWLEDGED: &str = "Acknowledged";
pub(crate) const HEAD: [&str; 5] = ["Select", "Severity", "Alert", "Raised (UTC)", "Acknowledged"];
pub(crate) const EMPTY: &str = "No unacknowledged alerts.";
pub(crate) const EMPTY_NEXT: &str = "A decision that is denied or to be reviewed raises one, from the severity that the settings name.";
pub(crate) const LAST: &str = "The last one was raised";
pub(crate) const NONE_ACKNOWLEDGED: &str = "No acknowledged alerts.";
pub(crate) const NONE_ACKNOWLEDGED_NEXT: &str =
    "Whoever acknowledged one is named here, with the time.";
pub(crate) const SEVERITY: &str = "Severity";
pub(crate) const KIND: &str = "About";
pub(crate) const RULE: &str = "Rule";
pub(crate) const SEVERITIES: [(&str, &str); 5] =
    [("", "Any"), ("low", "Low"), ("medium", "Medium"), ("high", "High"), ("critical", "Critical")];
pub(crate) const KINDS: [(&str, &str); 5] = [
    ("", "Any"),
    ("policy_violation", "Violations"),
    ("shadow_violation", "Violations in shadow mode"),
    ("governance_change", "Changes of governance"),
    ("webhook_dead", "Dead webhooks"),
];
pub(crate) const ACKNOWLEDGE: &str = "Acknowledge";
pub(crate) const ACKNOWLEDGE_SELECTED: &str = "Acknowledge selected";
pub(crate) const FINAL: &str = "There is no undo: an alert stays acknowledged, with your name.";
pub(crate) const SELECT_PAGE: &str = "Select this page";
pub(crate) const SELECT_NONE: &str = "Select none";
pub(crate) const NEWER: &str = "Newer";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const RULES: &str = "Rules";
pub(crate) const RAISED: &str = "Raised";
pub(crate) const REASON: &str = "Reason";
pub(crate) const DELIVERY: &str = "Delivery";
pub(crate) const SHOW_DELIVERY: &str = "Show the delivery";
pub(crate) const WEBHOOKS: &str = "Webhooks";
pub(crate) const SHOW_WEBHOOKS: &str = "Show all webhooks";
pub(crate) const BACK: &str = "Back to the alerts";
pub(crate) const BAD_FILTER: &str = "One of the filters has a value that it does not know.";

/// What an alert is about.
pub(crate) fn kind(kind: AlertType) -> &'static str {
    match kind {
        AlertType::PolicyViolation => "Violation",
        AlertType::ShadowViolation => "Violation in shadow mode",
        AlertType::GovernanceChange => "Change of governance",
        AlertType::WebhookDead => "Dead webhook",
    }
}

/// The name of the box in the row of an alert.
pub(crate) fn select(message: &str) -> String {
    format!("Select: {message}")
}

/// How many of a group are shown.
pub(crate) fn shown(rows: usize) -> String {
    count(rows, "alert on this page", "alerts on this page")
}

/// How many match, and which are shown.
pub(crate) fn range(page: u32, rows: usize, total: u64) -> String {
    let first = u64::from(page.saturating_sub(1)) * u64::from(crate::view::alert::PAGE) + 1;
    let last = first + rows as u64 - 1;
    format!("{} to {} of {}", counted(first), counted(last), counted(total))
}

/// All that match the filters.
pub(crate) fn all_matching(total: u64) -> String {
    format!("All matching ({})", counted(total))
}

/// So many alerts.
pub(crate) fn alerts(number: usize) -> String {
    count(number, "alert", "alerts")
}

/// How many were acknowledged.
pub(crate) fn done(done: usize) -> String {
    format!("{} acknowledged.", alerts(done))
}

/// How many were not.
pub(crate) fn failed(failed: usize) -> String {
    let were = if failed == 1 { "was" } else { "were" };
    format!("{} {were} not, because somebody was first:", alerts(failed))
}

/// How many there are not.
pub(crate) fn missing(missing: usize) -> String {
    let are = if missing == 1 { "is" } else { "are" };
    format!("{} {are} not there.", alerts(missing))
}
