//! Texts of `/t/{tenant}/audit`.

use contract::audit::{AuditDivergence, AuditStatus};

use crate::{text::number::whole, view::audit::Checked};

pub(crate) const TITLE: &str = "Audit log";
pub(crate) const HEAD: [&str; 6] = ["Number", "Time (UTC)", "Actor", "Act", "Object", "Event"];
pub(crate) const ACTION: &str = "Act, such as policy_version.ratify";
pub(crate) const EMAIL: &str = "Actor's e-mail";
pub(crate) const ACTOR: &str = "Actor id";
pub(crate) const KIND: &str = "Kind of object, such as api_key";
pub(crate) const OBJECT: &str = "Object id";
pub(crate) const EMPTY: &str = "No events yet.";
pub(crate) const EMPTY_NEXT: &str = "Every act that changes something is written here.";
pub(crate) const SHOW: &str = "Show";
pub(crate) const EVENT: &str = "Hashed event";
pub(crate) const HASH: &str = "Hash";
pub(crate) const CHECK: &str = "Verify the log";
pub(crate) const CHECK_SAYS: &str = "Computes every hash again from the stored bytes, and compares them with each other, with the columns, and with the checkpoints. Leave the range empty for the whole log.";
pub(crate) const FIRST: &str = "First number";
pub(crate) const LAST: &str = "Last number";
pub(crate) const VERIFY: &str = "Verify";
pub(crate) const EXPECTED: &str = "Expected";
pub(crate) const ACTUAL: &str = "Found";
pub(crate) const BEYOND: &str = "Range: it reaches beyond the last event of the log.";
pub(crate) const BAD_RANGE: &str =
    "Range: give whole numbers from 1, the first not greater than the last.";

/// Returns the display name of an actor type.
pub(crate) fn actor(kind: &str) -> &str {
    match kind {
        "human" => "Person",
        "api_key" => "Key",
        "capability" => "Grant",
        "system" => "System",
        other => other,
    }
}

/// Returns the result of a verification in one line.
pub(crate) fn headline(checked: &Checked) -> String {
    let (first, last) = checked.range;
    let at = checked.divergence.as_ref().map_or(first, |found| found.seq);
    let at = whole(at);
    match checked.status {
        AuditStatus::Intact => format!("Intact, {} to {}", whole(first), whole(last)),
        AuditStatus::Tampered => format!("Tampered with at {at}"),
        AuditStatus::Truncated => format!("Cut off at {at}"),
        AuditStatus::Forked => format!("Forked at {at}"),
        AuditStatus::Unreadable => format!("Unreadable at {at}"),
    }
}

/// Returns the description of a divergence.
pub(crate) fn wrong(status: AuditStatus, found: &AuditDivergence) -> String {
    let description = match (status, found.kind.as_str()) {
        (AuditStatus::Truncated, _) => "A checkpoint names an event that is no longer there.",
        (AuditStatus::Forked, "seq") => "Two events have this number.",
        (AuditStatus::Forked, _) => "Two events follow the same event.",
        (AuditStatus::Unreadable, kind) => {
            return format!("The stored bytes of this event cannot be read ({kind}).");
        }
        (_, "hash") => "The stored bytes of this event do not have its hash.",
        (_, "prev") => "This event does not follow the one before it.",
        (_, "seq") => "An event is missing, or out of its order.",
        (_, "columns") => "A column says something else than the hashed event.",
        (_, "canonical") => "The stored bytes of this event are not in canonical form.",
        (_, "checkpoint") => "The checkpoint here names another event.",
        (_, other) => return format!("This event differs ({other})."),
    };
    description.to_owned()
}

/// Returns the warning about events after the last checkpoint.
pub(crate) fn tail(events: i64) -> String {
    let (noun, verb) = if events == 1 { ("event", "is") } else { ("events", "are") };
    format!(
        "The last {} {noun} {verb} not under a checkpoint yet: whether more followed and were cut off cannot be told.",
        whole(events)
    )
}
