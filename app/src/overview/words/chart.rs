//! The charts of `/t/{tenant}`.

use contract::time::DAY_MS;

use crate::text::{number::count, time::zone};

pub(crate) const RANGE: &str = "Range";
pub(crate) const RANGES: [(&str, &str); 4] =
    [("24h", "24 hours"), ("7d", "7 days"), ("30d", "30 days"), ("90d", "90 days")];
pub(crate) const FROM_DAY: &str = "From day (UTC)";
pub(crate) const TO_DAY: &str = "To day (UTC)";
pub(crate) const CUSTOM: &str = "Custom";
pub(crate) const BAD_RANGE: &str =
    "Choose a first day and a last day that is not before it, at most ten years apart.";
pub(crate) const INCOMPLETE: &str =
    "Decisions are still being counted; the newest ones are missing here.";
pub(crate) const CURRENT_STATUS: &str = "Current status";
pub(crate) const DEAD_DELIVERIES: &str = "Dead deliveries to webhooks";
pub(crate) const WAITING: &str = "Versions waiting for a ratifier";
pub(crate) const SHADOW_POLICIES: &str = "Active policies in shadow mode";
pub(crate) const AS_TABLE: &str = "As a table";
pub(crate) const CSV: &str = "Download as CSV";
pub(crate) const FROM: &str = "From (UTC)";
pub(crate) const NONE: &str = "No decisions in this range.";
pub(crate) const DECISIONS: &str = "Decisions";

pub(crate) const VERDICTS: &str = "Verdicts over time";
pub(crate) const SHADOW_VERDICTS: &str = "Verdicts in shadow mode";
pub(crate) const SHADOW_NOTE: &str = "All evaluated policies were in shadow mode.";

pub(crate) const SHADOW_NOTE_OF_POLICY: &str = "The policy was in shadow mode.";

pub(crate) const LATENCY: &str = "Evaluation time";
pub(crate) const LATENCY_NOTE: &str = "Evaluation time in milliseconds, excluding network and storage. Values are at most 10 % too high.";
pub(crate) const NO_LATENCY_OF_POLICY: &str = "The evaluation time is measured for a whole decision, not for one of its policies. Clear the policy filter to see it.";
pub(crate) const PERCENTILES: [&str; 3] = ["p50", "p95", "p99"];

pub(crate) const POLICY: &str = "Policy";
pub(crate) const VIOLATED: &str = "Top violated rules";
pub(crate) const VIOLATED_HEAD: [&str; 6] =
    ["Rule", POLICY, "Violated", "Decisions of the policy", "Share", "Not applicable"];
pub(crate) const NO_VIOLATIONS: &str = "No rule was violated in this range.";
pub(crate) const NEVER_APPLIED: &str = "Evaluated but never applied";

pub(crate) const OVERRIDES: &str = "Override rate";
pub(crate) const OVERRIDES_NOTE: &str = "Overridden decisions among those with an outcome.";
pub(crate) const OVERRIDES_HEAD: [&str; 6] =
    ["Rule", POLICY, "Overridden", "Outcome known", "Violated", "Rate"];
pub(crate) const NO_OUTCOMES: &str = "No violation in this range has an outcome.";
pub(crate) const SHADOW: &str = "shadow";

pub(crate) const ALL_VERSIONS: &str =
    "Decisions that evaluated the policy, in any of its versions.";
pub(crate) const LONG_RANGE: &str = "Choose a shorter range: at most 1,000 days.";
pub(crate) const RULES: &str = "Rules";

pub(crate) const SCALE: &str = "Scale";
pub(crate) const COUNT: &str = "Count";
pub(crate) const SHARE: &str = "Share";
pub(crate) const MANY_CHANGES: &str = "Only the newest 10 changes are marked.";

/// Returns what happened to a policy, after its name: for example " v18 was activated by Ines Roy.".
pub(crate) fn change(version: Option<u32>, by: Option<&str>) -> String {
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    match version {
        Some(version) => format!(" v{version} was activated{by}."),
        None => format!(" was deactivated{by}."),
    }
}

pub(crate) fn download(title: &str) -> String {
    format!("{CSV}: {title}")
}

pub(crate) fn decisions(number: usize) -> String {
    count(number, "decision", "decisions")
}

pub(crate) fn each_bar(step_ms: i64) -> String {
    format!("Each bar is {}. Times are in {}.", length(step_ms), zone())
}

/// Returns, for example, "6 hours" or "3 days".
fn length(ms: i64) -> String {
    const HOUR_MS: i64 = DAY_MS / 24;
    let (number, one, many) = match ms {
        DAY_MS.. => (ms / DAY_MS, "day", "days"),
        _ => (ms / HOUR_MS, "hour", "hours"),
    };
    count(usize::try_from(number).unwrap_or_default(), one, many)
}

/// Returns, for example, "DENY: 3 decisions, from 20 Nov 2026 06:00".
pub(crate) fn part(word: &str, number: usize, from: &str) -> String {
    format!("{word}: {}, from {from}", decisions(number))
}

pub(crate) fn not_enough(points: usize, min: usize) -> String {
    format!("Not enough data: {points} of at least {min} points.")
}

pub(crate) fn violations(number: usize) -> String {
    count(number, "violation", "violations")
}

pub(crate) fn outcomes(number: usize) -> String {
    count(number, "outcome of a violation", "outcomes of violations")
}

/// Returns, for example, "37 %: 115 of 311 decisions; not applicable to 12 %".
pub(crate) fn violated(share: &str, violated: &str, decisions: &str, na: &str) -> String {
    format!("{share}: {violated} of {decisions} decisions; not applicable to {na}")
}

/// Returns, for example, "38 %: 19 of 50; outcome known for 50 of 311".
pub(crate) fn overridden(
    rate: Option<&str>,
    overridden: &str,
    known: &str,
    violated: &str,
) -> String {
    let rate = rate.unwrap_or("Not enough data");
    format!("{rate}: {overridden} of {known}; outcome known for {known} of {violated}")
}
