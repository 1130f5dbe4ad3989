//! Texts of `/t/{tenant}/audit`.

use contract::audit::{AuditDivergence, AuditStatus};

use crate::text::number::whole;

pub(crate) const TITLE: &str = "Audit log";
pub(crate) const HEAD: [&str; 3] = ["Number", "Time (UTC)", "Event"];
pub(crate) const ACTION_NAME: &str = "Action";
pub(crate) const ACTOR_NAME: &str = "Actor";
pub(crate) const OBJECT_NAME: &str = "Object";
pub(crate) const CORRELATION_ID: &str = "Correlation ID";
pub(crate) const NO_CORRELATION_ID: &str = "Not recorded";
pub(crate) const CHANGE: &str = "Change";
pub(crate) const PREVIOUS: &str = "Previous hash";
pub(crate) const ACTION: &str = "Action, for example policy_version.ratify";
pub(crate) const EMAIL: &str = "Actor email";
pub(crate) const ACTOR: &str = "Actor ID";
pub(crate) const KIND: &str = "Object type, for example api_key";
pub(crate) const OBJECT: &str = "Object ID";
pub(crate) const EMPTY: &str = "No events yet";
pub(crate) const EMPTY_NEXT: &str = "Every change is recorded here.";
pub(crate) const EVENT: &str = "Hashed event";
pub(crate) const HASH: &str = "Hash";
pub(crate) const CHECK: &str = "Verify the log";
pub(crate) const CHECK_HELP: &str = "Recomputes every hash and compares it with the stored events, columns and checkpoints. Leave the range empty to verify the whole log.";
pub(crate) const FIRST: &str = "First number";
pub(crate) const LAST: &str = "Last number";
pub(crate) const VERIFY: &str = "Verify";
pub(crate) const EXPECTED: &str = "Expected";
pub(crate) const ACTUAL: &str = "Found";
pub(crate) const RANGE_TOO_LONG: &str = "Range: the end is after the last event.";
pub(crate) const BAD_RANGE: &str =
    "Range: enter whole numbers from 1, the first not greater than the last.";

/// Returns the name of a filter on its chip, by its parameter.
pub(crate) fn filter_name(parameter: &str) -> &'static str {
    match parameter {
        "action" => ACTION_NAME,
        "email" => EMAIL,
        "actor" => ACTOR,
        "kind" => "Object type",
        "object" => OBJECT,
        "from" => "From",
        _ => "To",
    }
}

/// Returns the name of an actor that is neither a user nor a key.
pub(crate) fn system(id: &str) -> &str {
    match id {
        "operator" => "The operator",
        "service" => "The service",
        "public" => "An anonymous caller",
        other => other,
    }
}

pub(crate) fn actor(kind: &str) -> &str {
    match kind {
        "human" => "Person",
        "api_key" => "API key",
        "capability" => "Capability",
        "system" => "System",
        other => other,
    }
}

pub(crate) fn divergence(status: AuditStatus, divergence: &AuditDivergence) -> String {
    let description = match (status, divergence.kind.as_str()) {
        (AuditStatus::Truncated, _) => "A checkpoint refers to an event that no longer exists.",
        (AuditStatus::Forked, "seq") => "Two events have this number.",
        (AuditStatus::Forked, _) => "Two events follow the same event.",
        (AuditStatus::Unreadable, kind) => {
            return format!("The stored bytes of this event cannot be read ({kind}).");
        }
        (_, "hash") => "The stored bytes of this event do not have its hash.",
        (_, "prev") => "This event does not follow the one before it.",
        (_, "seq") => "An event is missing, or out of its order.",
        (_, "columns") => "A column does not match the hashed event.",
        (_, "canonical") => "The stored bytes of this event are not in canonical form.",
        (_, "checkpoint") => "The checkpoint at this position refers to another event.",
        (_, other) => return format!("This event differs ({other})."),
    };
    description.to_owned()
}

pub(crate) fn uncovered_events(events: i64) -> String {
    let (noun, verb, those) =
        if events == 1 { ("event", "is", "it") } else { ("events", "are", "them") };
    format!(
        "The last {} {noun} {verb} not covered by a checkpoint yet. Deletions after {those} cannot be detected.",
        whole(events)
    )
}
