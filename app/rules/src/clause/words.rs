//! The clauses of a version, and their lint findings.

use contract::codification::{Counts, Disposition};
use page_kit::text::number::count;

pub const TITLE: &str = "Clauses";
pub const CODIFICATION: &str = "Codification";
pub const CLAUSE: &str = "Clause";
pub const NO_CLAUSE: &str = "No clause is named as the source of this rule.";
pub const NOT_CODIFIED: &str = "These rules were written without clauses.";
pub const FAILED: &str = "Lint failed:";

pub fn disposition(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::Mapped => "Mapped",
        Disposition::Ambiguous => "Ambiguous",
        Disposition::Unsupported => "Not expressible as a rule",
        Disposition::NonNormative => "Non-normative",
        Disposition::Refused => "Declined",
    }
}

/// Returns the six counts: "5 clauses", "3 mapped", and so on.
pub fn counts(counts: Counts) -> [String; 6] {
    [
        count(counts.clauses as usize, "clause", "clauses"),
        format!("{} mapped", counts.mapped),
        format!("{} ambiguous", counts.ambiguous),
        format!("{} not expressible as a rule", counts.unsupported),
        format!("{} non-normative", counts.non_normative),
        format!("{} declined", counts.refused),
    ]
}

pub fn confidence(percent: u32) -> String {
    format!("confidence {percent} %")
}

pub fn lint_source(by: &str, questions: Option<&str>, floor: u32) -> String {
    let questions = questions.map(|name| format!(", questions {name}")).unwrap_or_default();
    format!(
        "Linted by {by}{questions}. Findings below {floor} % are omitted. Findings are advisory and block nothing."
    )
}
