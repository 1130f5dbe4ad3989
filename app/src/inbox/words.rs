//! Texts of `/t/{tenant}/inbox`.

use super::view::RuleChanges;
use crate::text::number::{count, counted, limited};

pub(crate) const TITLE: &str = "Inbox";
pub(crate) const NEEDS_ACTION: &str = "Needs your action";
pub(crate) const WAITING_ON_OTHERS: &str = "Waiting on others";
pub(crate) const DONE: &str = "Done";
pub(crate) const ACTION: &str = "Action";
pub(crate) const ANY: &str = "Any";
pub(crate) const POLICY_OR_PERSON: &str = "Policy or person";
pub(crate) const ALERT: &str = "Handle alert";
pub(crate) const OPEN_ALERT: &str = "Open";
pub(crate) const ASSIGNED: &str = "Assigned to you";
pub(crate) const ALL_WAITING: &str = "Show all";
pub(crate) const DONE_HEAD: [&str; 4] = ["Action", "Policy", "Version", "When (UTC)"];
pub(crate) const NONE_WAITING: &str = "Nothing is waiting on others.";
pub(crate) const NONE_WAITING_NOTE: &str =
    "Submitted, accepted and ratified versions are listed here.";
pub(crate) const NO_ACTIONS: &str = "You have not submitted, reviewed or signed anything yet.";
pub(crate) const NO_ACTIONS_NOTE: &str = "Your latest actions on versions are listed here.";
pub(crate) const OPEN_ALERTS: &str = "Open alerts";
pub(crate) const DECISIONS: &str = "Decisions in 24 hours";
pub(crate) const DEAD_DELIVERIES: &str = "Dead deliveries";
pub(crate) const ALERTS_BY_RULE: &str = "Open alerts by rule";
pub(crate) const RULES_HEAD: [&str; 4] = ["Severity", "Rule", "Open", "Newest"];
pub(crate) const NOTHING_TO_REVIEW: &str = "Nothing to review";

/// Returns the note next to the title of an empty list.
pub(crate) fn waiting(others: usize) -> String {
    match others {
        0 => NONE_WAITING.to_owned(),
        others => {
            format!("{} on others.", count(others, "version is waiting", "versions are waiting"))
        }
    }
}

/// Returns, for example, "3 comments, 1 open".
pub(crate) fn comments(all: u64, open: u64) -> String {
    let all = count(usize::try_from(all).unwrap_or(usize::MAX), "comment", "comments");
    let open = if open == 0 { "none open".to_owned() } else { format!("{} open", counted(open)) };
    format!("{all}, {open}")
}

/// Returns the age of the oldest item, for example "oldest for 2 days".
pub(crate) fn oldest(age: Option<String>) -> String {
    age.map_or_else(|| "nothing is waiting".to_owned(), |age| format!("oldest for {age}"))
}

pub(crate) fn critical(alerts: u64) -> String {
    if alerts == 0 { "none critical".to_owned() } else { format!("{} critical", limited(alerts)) }
}

/// Returns since when deliveries are dead, for example "since 20 Nov 2026 23:04 UTC".
pub(crate) fn dead_since(time: Option<String>) -> String {
    time.map_or_else(|| "none to retry".to_owned(), |time| format!("since {time}"))
}

/// Returns, for example, "3 of 16 rules changed, 1 removed".
pub(crate) fn changes(RuleChanges { rules, changed, removed }: RuleChanges) -> String {
    let all = count(usize::try_from(rules).unwrap_or(usize::MAX), "rule", "rules");
    let Some(changed) = changed else { return format!("{all}, all new") };
    let [changed, removed] = [changed, removed].map(|number| counted(number.into()));
    let removed = if removed == "0" { String::new() } else { format!(", {removed} removed") };
    format!("{changed} of {all} changed{removed}")
}

pub(crate) fn all_alerts(open: u64) -> String {
    format!("{ALL_WAITING} ({})", limited(open))
}

pub(crate) fn newer_revision((sealed, now): (u32, u32)) -> String {
    format!("r{sealed} was submitted; r{now} is the latest")
}

/// Returns the display name of an action of the audit log, or the action itself if it is unknown.
pub(crate) fn action(word: &str) -> String {
    let name = match word {
        "policy_version.create" => "Opened a draft",
        "policy_version.seal" => "Submitted for review",
        "policy_version.submit" => "Submitted",
        "policy_version.recall" => "Recalled",
        "policy_version.reject" => "Rejected",
        "policy_version.review" => "Reviewed",
        "policy_version.ratify" => "Ratified",
        "policy_version.activate" => "Activated",
        "policy_version.set_aside" => "Set aside",
        "policy_version.supersede" => "Revised in a new draft",
        other => other,
    };
    name.to_owned()
}
