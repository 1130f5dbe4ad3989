//! Texts of `/t/{tenant}/inbox`.

use crate::{text::number::count, view::inbox::RequestedAction};

pub(crate) const TITLE: &str = "Inbox";
pub(crate) const MINE: &str = "Needs me";
pub(crate) const OTHERS: &str = "Waiting on others";
pub(crate) const DONE: &str = "Done";
pub(crate) const HEAD: [&str; 5] = ["Act", "Policy", "Version", "By", "Since (UTC)"];
pub(crate) const DONE_HEAD: [&str; 4] = ["Act", "Policy", "Version", "When (UTC)"];
pub(crate) const NOTHING_WAITS: &str = "Nothing waits on others.";
pub(crate) const NOTHING_WAITS_SAYS: &str = "What is sent, accepted or ratified shows up here.";
pub(crate) const NOTHING_DONE: &str = "You have not sent, reviewed or signed anything yet.";
pub(crate) const NOTHING_DONE_SAYS: &str = "Your last acts on versions are listed here.";
pub(crate) const NOTHING: &str = "Nothing needs you.";

/// Returns the note next to the title of an empty list.
pub(crate) fn waiting(others: usize) -> String {
    match others {
        0 => "Nothing waits on others either.".to_owned(),
        others => format!("{} on others.", count(others, "version waits", "versions wait")),
    }
}

/// Returns the display name of a requested action.
pub(crate) fn asked(action: RequestedAction) -> &'static str {
    match action {
        RequestedAction::Review => "Review",
        RequestedAction::Ratify => "Ratify",
        RequestedAction::Activate => "Activate",
        RequestedAction::Answer => "Answer a return",
    }
}

/// Returns, for example, "r3 is sealed, r5 is current".
pub(crate) fn moved((sealed, now): (u32, u32)) -> String {
    format!("r{sealed} is sealed, r{now} is current")
}

/// Returns the display name of an action of the audit log, or the action itself if it is unknown.
pub(crate) fn action(word: &str) -> String {
    let name = match word {
        "policy_version.create" => "Opened a draft",
        "policy_version.seal" => "Sealed for review",
        "policy_version.submit" => "Sent",
        "policy_version.recall" => "Recalled",
        "policy_version.reject" => "Sent back",
        "policy_version.review" => "Reviewed",
        "policy_version.ratify" => "Ratified",
        "policy_version.activate" => "Activated",
        "policy_version.set_aside" => "Set aside",
        "policy_version.supersede" => "Corrected in a new draft",
        other => other,
    };
    name.to_owned()
}
