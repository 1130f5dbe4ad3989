//! Texts of `/t/{tenant}/decisions`.

use contract::{evaluation::Verdict, time::DAY_MS};

use crate::text::number::count;

pub(crate) const TITLE: &str = "Decisions";
pub(crate) const HEAD: [&str; 6] =
    ["Time (UTC)", "Verdict", "Type", "Policy", "Top violation", "Actor"];
pub(crate) const VERDICT: &str = "Verdict";
pub(crate) const VERDICTS: [(&str, &str); 5] =
    [("", "Any"), ("DENY", "DENY"), ("REVIEW", "REVIEW"), ("ALERT", "ALERT"), ("ALLOW", "ALLOW")];
pub(crate) const SEVERITY: &str = "Severity";
pub(crate) const TYPE: &str = "Type";
pub(crate) const POLICY: &str = "Policy";
pub(crate) const ANY: &str = "Any";
pub(crate) const MORE_FILTERS: &str = "More filters";
pub(crate) const IDEMPOTENCY: &str = "Idempotency key";
pub(crate) const OUTCOME: &str = "Outcome";
pub(crate) const OUTCOMES: [(&str, &str); 7] = [
    ("", "Any"),
    ("accepted", "Accepted"),
    ("overridden", "Overridden"),
    ("escalated", "Escalated"),
    ("expired", "Expired"),
    ("abandoned", "Abandoned"),
    ("none", "None reported"),
];
pub(crate) const SHADOW: &str = "Shadow mode";
pub(crate) const SHADOW_CHOICES: [(&str, &str); 3] =
    [("", "Any"), ("true", "Verdict changed"), ("false", "Verdict not changed")];
pub(crate) const CHAIN: &str = "Chain ID";
pub(crate) const BAD_CHAIN: &str = "Chain: enter a valid chain ID of 36 characters.";
pub(crate) const BAD_POLICY: &str = "Policy: select a value from the list.";
pub(crate) const VERSION: &str = "Version";
pub(crate) const BAD_VERSION: &str = "Version: enter a whole number, for example 3.";
pub(crate) const VERSION_WITHOUT_POLICY: &str = "Version: also select a policy.";
pub(crate) const EXPORT: &str = "Export";
pub(crate) const SAVED: &str = "Saved filters";
pub(crate) const ALL: &str = "All";
pub(crate) const SAVE_FILTER: &str = "Save filter";
pub(crate) const SAVED_NONE: &str = "Apply filters, then save them here.";
pub(crate) const NAME: &str = "Save filter as";
pub(crate) const SAVE: &str = "Save";
pub(crate) const REMOVE: &str = "Remove";
#[cfg(feature = "ssr")]
pub(crate) const REMOVED: &str = "Filter removed:";
pub(crate) const RANGE: &str = "Time range";
pub(crate) const RANGES: [(&str, &str); 5] = [
    ("", "All time"),
    ("1h", "Last hour"),
    ("24h", "Last 24 hours"),
    ("7d", "Last 7 days"),
    ("30d", "Last 30 days"),
];
pub(crate) const CUSTOM_RANGE: &str = "Custom range";
pub(crate) const NO_VIOLATION: &str = "None";

pub(crate) const RULE: &str = "Violated rule";
pub(crate) const ACTOR: &str = "Actor ID";
pub(crate) const FROM: &str = "From (UTC)";
pub(crate) const TO: &str = "To (UTC)";
pub(crate) const EMPTY: &str = "No decisions recorded yet";
pub(crate) const NOT_AN_ID: &str =
    "Enter a valid decision ID, for example 8f1c2a4e-0b7d-4c3a-9e61-5d2f7a90b1c2.";
pub(crate) const BAD_VERDICT: &str = "Verdict: select a value from the list.";
pub(crate) const BAD_SEVERITY: &str = "Severity: select a value from the list.";
pub(crate) const BAD_OUTCOME: &str = "Outcome: select a value from the list.";
pub(crate) const BAD_SHADOW: &str = "Shadow mode: select a value from the list.";
pub(crate) const BAD_FROM: &str = "From: enter a date and time, for example 2026-11-20T23:04.";
pub(crate) const BAD_TO: &str = "To: enter a date and time, for example 2026-11-20T23:04.";

pub(crate) const HISTOGRAM: &str = "Decisions over time";
pub(crate) const NARROW: &str = "Narrow down";
pub(crate) const RULES_OF_ALL_VERDICTS: &str = "The counts of rules include every verdict.";
pub(crate) const INCOMPLETE: &str = "The newest decisions are not counted yet.";

/// Returns the sentence about filters that the counts do not apply.
pub(crate) fn not_applied(filters: &[&str]) -> String {
    format!("The counts do not apply these filters: {}.", filters.join(", "))
}

/// Returns the sentence about a range of which only the end is counted.
pub(crate) fn shortened(ms: i64) -> String {
    let days = count(usize::try_from(ms / DAY_MS).unwrap_or_default(), "day", "days");
    format!("Only the last {days} of the range are counted.")
}

pub(crate) fn more(number: usize) -> String {
    format!("and {number} more")
}

/// Returns, for example, "50 decisions shown. More available.". The total is not counted.
pub(crate) fn shown_count(number: usize, more: bool) -> String {
    let text = count(number, "decision shown", "decisions shown");
    if more { format!("{text}. More available.") } else { text }
}

/// Returns the name of a filter on its chip, by its parameter.
pub(crate) fn filter_name(parameter: &str) -> &'static str {
    match parameter {
        "verdict" => VERDICT,
        "severity" => SEVERITY,
        "type" => TYPE,
        "policy" => POLICY,
        "version" => VERSION,
        "rule" => RULE,
        "outcome" => OUTCOME,
        "shadow" => SHADOW,
        "correlation" => crate::text::messages::CORRELATION_ID,
        "actor" => ACTOR,
        "chain" => CHAIN,
        "key" => IDEMPOTENCY,
        _ => RANGE,
    }
}

/// Returns the accessible name of a verdict as a filter.
pub(crate) fn only(verdict: Verdict) -> String {
    format!("Only {verdict}")
}
