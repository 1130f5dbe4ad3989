//! Texts of `/t/{tenant}/decisions`.

use crate::text::number::count;

pub(crate) const TITLE: &str = "Decisions";
pub(crate) const HEAD: [&str; 6] =
    ["Time (UTC)", "Verdict", "Type", "Policy", "Top violation", "Actor"];
pub(crate) const VERDICT: &str = "Verdict";
pub(crate) const VERDICTS: [(&str, &str); 5] =
    [("", "Any"), ("DENY", "DENY"), ("REVIEW", "REVIEW"), ("ALERT", "ALERT"), ("ALLOW", "ALLOW")];
pub(crate) const TYPE: &str = "Type";
pub(crate) const POLICY: &str = "Policy";
pub(crate) const ANY: &str = "Any";
pub(crate) const MORE_FILTERS: &str = "More filters";
pub(crate) const IDEMPOTENCY: &str = "Idempotency key";
pub(crate) const CHAIN: &str = "Chain id";
pub(crate) const BAD_CHAIN: &str = "Chain: that is no chain id. An id has 36 characters.";
pub(crate) const BAD_POLICY: &str = "Policy: choose one of the list.";
pub(crate) const SAVED: &str = "Saved filters";
pub(crate) const SAVED_NONE: &str = "Filter the log, then keep the filter here under a name.";
pub(crate) const EXPORT: &str = "Export";
pub(crate) const EXPORT_NEEDS_RANGE: &str =
    "Choose From and To first: an export covers a range of time.";
pub(crate) const EXPORT_SAYS: &str =
    "Every decision that the filters match, however many. The audit log notes each export.";
pub(crate) const NAME: &str = "Keep this filter as";
pub(crate) const SAVE: &str = "Keep";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const RULE: &str = "Violated rule";
pub(crate) const ACTOR: &str = "Actor id";
pub(crate) const FROM: &str = "From (UTC)";
pub(crate) const TO: &str = "To (UTC)";
pub(crate) const EMPTY: &str = "No decisions recorded yet.";
pub(crate) const NOT_AN_ID: &str = "That is no decision id. An id has 36 characters, such as 8f1c2a4e-0b7d-4c3a-9e61-5d2f7a90b1c2.";
pub(crate) const BAD_VERDICT: &str = "Verdict: choose one of the list.";
pub(crate) const BAD_FROM: &str = "From: give a date and time, such as 2026-11-20T23:04.";
pub(crate) const BAD_TO: &str = "To: give a date and time, such as 2026-11-20T23:04.";

/// Returns, for example, "and 2 more".
pub(crate) fn more(number: usize) -> String {
    format!("and {number} more")
}

/// Returns, for example, "50 decisions shown, more follow". The total is not counted.
pub(crate) fn shown(number: usize, more: bool) -> String {
    let text = count(number, "decision shown", "decisions shown");
    if more { format!("{text}, more follow") } else { text }
}
