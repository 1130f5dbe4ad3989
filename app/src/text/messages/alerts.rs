//! Texts of `/t/{tenant}/alerts`.

use contract::alert::AlertType;

use crate::text::number::{count, counted};

pub(crate) const TITLE: &str = "Alerts";
pub(crate) const OPEN: &str = "Unacknowledged";
pub(crate) const ACKNOWLEDGED: &str = "Acknowledged";
pub(crate) const HEAD: [&str; 5] = ["Select", "Severity", "Alert", "Created (UTC)", "Acknowledged"];
pub(crate) const EMPTY: &str = "No unacknowledged alerts.";
pub(crate) const EMPTY_NEXT: &str = "Denied decisions and decisions that need review create alerts. Set the minimum severity in settings.";
pub(crate) const LAST_ALERT: &str = "Last alert:";
pub(crate) const NONE_ACKNOWLEDGED: &str = "No acknowledged alerts.";
pub(crate) const NONE_ACKNOWLEDGED_NEXT: &str =
    "Acknowledged alerts are listed here with the person and time.";
pub(crate) const SEVERITY: &str = "Severity";
pub(crate) const KIND: &str = "Type";
pub(crate) const RULE: &str = "Rule";
pub(crate) const SEVERITIES: [(&str, &str); 5] =
    [("", "Any"), ("low", "Low"), ("medium", "Medium"), ("high", "High"), ("critical", "Critical")];
pub(crate) const KINDS: [(&str, &str); 5] = [
    ("", "Any"),
    ("policy_violation", "Violations"),
    ("shadow_violation", "Violations in shadow mode"),
    ("governance_change", "Governance changes"),
    ("webhook_dead", "Dead webhooks"),
];
pub(crate) const ACKNOWLEDGE: &str = "Acknowledge";
pub(crate) const ACKNOWLEDGE_SELECTED: &str = "Acknowledge selected";
pub(crate) const FINAL: &str = "Acknowledging cannot be undone. Your name is recorded.";
pub(crate) const SELECT_PAGE: &str = "Select this page";
pub(crate) const SELECT_NONE: &str = "Select none";
pub(crate) const NEWER: &str = "Newer";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const RULES: &str = "Rules";
pub(crate) const CREATED: &str = "Created";
pub(crate) const REASON: &str = "Reason";
pub(crate) const DELIVERY: &str = "Delivery";
pub(crate) const SHOW_DELIVERY: &str = "Show the delivery";
pub(crate) const WEBHOOKS: &str = "Webhooks";
pub(crate) const SHOW_WEBHOOKS: &str = "Show all webhooks";
pub(crate) const BACK: &str = "Back to the alerts";
pub(crate) const BAD_FILTER: &str = "A filter has an invalid value.";

pub(crate) fn kind(kind: AlertType) -> &'static str {
    match kind {
        AlertType::PolicyViolation => "Violation",
        AlertType::ShadowViolation => "Violation in shadow mode",
        AlertType::GovernanceChange => "Governance change",
        AlertType::WebhookDead => "Dead webhook",
    }
}

pub(crate) fn select(message: &str) -> String {
    format!("Select: {message}")
}

pub(crate) fn rows_on_page(rows: usize) -> String {
    count(rows, "alert on this page", "alerts on this page")
}

/// Returns the range of the page and the total, for example "1 to 50 of 120".
pub(crate) fn range(offset: u64, rows: usize, total: u64) -> String {
    let first = offset + 1;
    let last = first + rows as u64 - 1;
    format!("{} to {} of {}", counted(first), counted(last), counted(total))
}

pub(crate) fn all_matching(total: u64) -> String {
    format!("All matching ({})", counted(total))
}

pub(crate) fn alerts(number: usize) -> String {
    count(number, "alert", "alerts")
}

pub(crate) fn acknowledged(done: usize) -> String {
    format!("{} acknowledged.", alerts(done))
}

pub(crate) fn conflicts(failed: usize) -> String {
    let were = if failed == 1 { "was" } else { "were" };
    format!("{} {were} already acknowledged by someone else:", alerts(failed))
}

pub(crate) fn not_found(missing: usize) -> String {
    format!("{} not found.", alerts(missing))
}
