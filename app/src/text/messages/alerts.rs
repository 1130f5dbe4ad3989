//! Texts of `/t/{tenant}/alerts`.

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

/// Returns the display name of an alert type.
pub(crate) fn kind(kind: AlertType) -> &'static str {
    match kind {
        AlertType::PolicyViolation => "Violation",
        AlertType::ShadowViolation => "Violation in shadow mode",
        AlertType::GovernanceChange => "Change of governance",
        AlertType::WebhookDead => "Dead webhook",
    }
}

/// Returns the label of the checkbox of an alert.
pub(crate) fn select(message: &str) -> String {
    format!("Select: {message}")
}

/// Returns the number of alerts of a group on this page.
pub(crate) fn shown(rows: usize) -> String {
    count(rows, "alert on this page", "alerts on this page")
}

/// Returns the range of the page and the total, for example "1 to 50 of 120".
pub(crate) fn range(page: u32, rows: usize, total: u64) -> String {
    let first = u64::from(page.saturating_sub(1)) * u64::from(crate::view::alert::PAGE) + 1;
    let last = first + rows as u64 - 1;
    format!("{} to {} of {}", counted(first), counted(last), counted(total))
}

/// Returns the label of the choice of all matching alerts.
pub(crate) fn all_matching(total: u64) -> String {
    format!("All matching ({})", counted(total))
}

/// Returns the number of alerts with its noun.
pub(crate) fn alerts(number: usize) -> String {
    count(number, "alert", "alerts")
}

/// Returns the number of acknowledged alerts.
pub(crate) fn done(done: usize) -> String {
    format!("{} acknowledged.", alerts(done))
}

/// Returns the number of alerts that another user acknowledged first.
pub(crate) fn failed(failed: usize) -> String {
    let were = if failed == 1 { "was" } else { "were" };
    format!("{} {were} not, because somebody was first:", alerts(failed))
}

/// Returns the number of alerts that were not found.
pub(crate) fn missing(missing: usize) -> String {
    let are = if missing == 1 { "is" } else { "are" };
    format!("{} {are} not there.", alerts(missing))
}
