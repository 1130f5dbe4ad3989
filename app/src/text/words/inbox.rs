//! `/t/{tenant}/inbox`

use crate::{text::number::count, view::inbox::Asked};

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

/// What the empty list of one's own says beside its title.
pub(crate) fn waiting(others: usize) -> String {
    match others {
        0 => "Nothing waits on others either.".to_owned(),
        others => format!("{} on others.", count(others, "version waits", "versions wait")),
    }
}

/// The act that is asked for.
pub(crate) fn asked(asked: Asked) -> &'static str {
    match asked {
        Asked::Review => "Review",
        Asked::Ratify => "Ratify",
        Asked::Activate => "Activate",
        Asked::Answer => "Answer a return",
    }
}

/// "r3 is sealed, r5 is current"
pub(crate) fn moved((sealed, now): (u32, u32)) -> String {
    format!("r{sealed} is sealed, r{now} is current")
}

/// An act in the audit log's word, on the screen; a word that is not known stays.
pub(crate) fn action(word: &str) -> String {
    let said = match word {
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
    said.to_owned()
}
