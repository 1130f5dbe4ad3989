//! Texts of `/t/{tenant}/decisions/{decision}`.

use contract::{evaluation::Verdict, text::isolated};

pub(crate) const NOT_APPLICABLE: &str = "Not applicable";
pub(crate) const VIOLATION: &str = "Violation:";
pub(crate) const NO_MATCHING_RULE: &str = "No rule of this policy.";
pub(crate) const NOT_COUNTED: &str = "Shadow mode: not counted.";

pub(crate) fn title(verdict: Verdict, decision_type: &str) -> String {
    format!("{verdict} {}", isolated(decision_type))
}
