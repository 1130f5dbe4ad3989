//! Texts of `/t/{tenant}/alerts`.

use contract::{alert::AlertType, text::isolated};

pub(crate) const TITLE: &str = "Alerts";
use crate::text::number::{count, counted, limited};

pub(crate) const OPEN: &str = "Open";
pub(crate) const SNOOZED: &str = "Snoozed";
pub(crate) const ACKNOWLEDGED: &str = "Acknowledged";
pub(crate) const HEAD: [&str; 7] =
    ["Select", "Alert", "Actor", "Assigned to", "Decision", "Age", "Status"];
pub(crate) const EMPTY: &str = "No open alerts";
pub(crate) const EMPTY_NEXT: &str = "Denied decisions and decisions that need review create alerts. Set the minimum severity in settings.";
pub(crate) const LAST_ALERT: &str = "Last alert:";
pub(crate) const NONE_SNOOZED: &str = "No snoozed alerts";
pub(crate) const NONE_SNOOZED_NEXT: &str =
    "Snoozed alerts are listed here until their time has passed. Then they are open again.";
pub(crate) const NONE_ACKNOWLEDGED: &str = "No acknowledged alerts";
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
pub(crate) const ASSIGNEE: &str = "Assigned to";
pub(crate) const ANY: &str = "Any";
pub(crate) const NO_ONE: &str = "No one";
pub(crate) const ASSIGN: &str = "Assign";
pub(crate) const ASSIGN_SELECTED: &str = "Assign selected";
pub(crate) const SNOOZE: &str = "Snooze";
pub(crate) const SNOOZE_SELECTED: &str = "Snooze selected";
pub(crate) const SNOOZE_FOR: &str = "Snooze for";
pub(crate) const SNOOZE_TIMES: [(&str, &str); 4] = [
    ("1h", "1 hour"),
    ("4h", "4 hours"),
    ("tomorrow", "Until tomorrow 9:00 (UTC)"),
    ("open", "Not snoozed: open now"),
];
pub(crate) const SNOOZE_DATE: &str = "Or until (UTC, at most 30 days)";
/// The labels of the form fields, by the names of the request members.
pub(crate) const FIELDS: [(&str, &str); 2] = [("/user_id", ASSIGNEE), ("/until", "Time")];
pub(crate) const SNOOZED_UNTIL: &str = "Snoozed until";
pub(crate) const NONE_SELECTED: &str = "No alerts selected";
pub(crate) const NONE_SELECTED_NEXT: &str = "Select alerts in the list first.";
/// One alert, as the subject of a result.
pub(crate) const ONE: &str = "Alert";
pub(crate) const NEWEST: &str = "newest";
pub(crate) const NO_UNDO: &str = "this action can no longer be undone";
pub(crate) const NOT_ASSIGNED: &str = "Not assigned";
pub(crate) const ACKNOWLEDGE_ALL: &str = "Acknowledge all";
pub(crate) const ASSIGN_ALL: &str = "Assign all";
pub(crate) const SNOOZE_ALL: &str = "Snooze all";
pub(crate) const UNTIL: &str = "Until";
pub(crate) const BAD_DATE: &str = "the date is invalid";
pub(crate) const NO_TIME: &str = "select a time or enter a date";
pub(crate) const ACKNOWLEDGE: &str = "Acknowledge";
pub(crate) const ACKNOWLEDGE_SELECTED: &str = "Acknowledge selected";
pub(crate) const FINAL: &str = "Acknowledging cannot be undone. Your name is recorded.";
/// The names and values of the orders of the list.
pub(crate) const ORDERS: [(&str, &str); 2] = [("", "By rule"), ("time", "By time")];
pub(crate) const ORDER: &str = "Order";
pub(crate) const PREVIOUS: &str = "Previous alert";
pub(crate) const NEXT: &str = "Next alert";
pub(crate) const OPEN_PAGE: &str = "Open as a page";
/// `public/page.js` replaces `{count}`.
pub(crate) const SELECTED_COUNT: &str = "{count} selected";
/// The name of the bar with the actions for the selected alerts.
pub(crate) const SELECTED: &str = "Selected alerts";
pub(crate) const ALL_OF_RULE: &str = "All alerts of this rule";
pub(crate) const SELECT_PAGE: &str = "Select this page";
pub(crate) const SELECT_NONE: &str = "Select none";
pub(crate) const EXPECTED: &str = "Expected";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const RULES: &str = "Violated rules";
pub(crate) const VALUE: &str = "Value";
pub(crate) const POLICY: &str = "Policy";
pub(crate) const ACTOR: &str = "Actor";
pub(crate) const CREATED: &str = "Created";
pub(crate) const REASON: &str = "Reason";
pub(crate) const DELIVERY: &str = "Delivery";
pub(crate) const SHOW_DELIVERY: &str = "Show the delivery";
pub(crate) const WEBHOOKS: &str = "Webhooks";
pub(crate) const SHOW_WEBHOOKS: &str = "Show all webhooks";
pub(crate) const BACK: &str = "Back to the alerts";
pub(crate) const DELIVERIES: &str = "Deliveries";
pub(crate) const HISTORY: &str = "History";
pub(crate) const ACTIONS: &str = "Actions";
pub(crate) const UNASSIGNED: &str = "Assigned to no one";
pub(crate) const OPENED_AGAIN: &str = "Opened again";
pub(crate) const RESTORED: &str = "Restored";

pub(crate) fn kind(kind: AlertType) -> &'static str {
    match kind {
        AlertType::PolicyViolation => "Violation",
        AlertType::ShadowViolation => "Violation in shadow mode",
        AlertType::GovernanceChange => "Governance change",
        AlertType::WebhookDead => "Dead webhook",
    }
}

pub(crate) fn select(message: &str) -> String {
    format!("Select: {}", isolated(message))
}

pub(crate) fn rows_on_page(rows: usize) -> String {
    count(rows, "alert on this page", "alerts on this page")
}

/// Returns the range of the page and the total, for example "1 to 50 of 120".
pub(crate) fn range(offset: u64, rows: usize, total: u64) -> String {
    let first = offset + 1;
    let last = first + rows as u64 - 1;
    format!("{} to {} of {}", counted(first), counted(last), limited(total))
}

pub(crate) fn all_matching(total: u64) -> String {
    format!("All matching ({})", limited(total))
}

pub(crate) fn alerts(number: usize) -> String {
    count(number, "alert", "alerts")
}

pub(crate) fn assign(number: usize) -> String {
    format!("{ASSIGN} {}", alerts(number))
}

pub(crate) fn snooze(number: usize) -> String {
    format!("{SNOOZE} {}", alerts(number))
}

/// Returns the lead of the list of alerts that an action left as they are.
pub(crate) fn conflicts(failed: usize) -> String {
    let (has, it_was) = if failed == 1 { ("has", "It was") } else { ("have", "They were") };
    format!("{} {has} changed in the meantime. {it_was} not changed again:", alerts(failed))
}

/// Returns the lead of the list of alerts that another user has acknowledged first.
pub(crate) fn already_acknowledged(failed: usize) -> String {
    let were = if failed == 1 { "was" } else { "were" };
    format!("{} {were} already acknowledged by someone else:", alerts(failed))
}

pub(crate) fn assigned_to(name: &str) -> String {
    format!("{ASSIGNEE} {}", isolated(name))
}

pub(crate) fn not_found(missing: usize) -> String {
    format!("{} not found.", alerts(missing))
}
