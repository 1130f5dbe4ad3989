//! The clauses of a version, and their lint findings.

use contract::codification::{Counts, Disposition};

use crate::text::number::count;

pub(crate) const TITLE: &str = "Clauses";
pub(crate) const CODIFICATION: &str = "Codification";
pub(crate) const BESIDE: &str = "Clause";
pub(crate) const OTHERS: &str = "Other clauses";
pub(crate) const OTHERS_SAY: &str = "No rule names these as its source.";
pub(crate) const NONE_BEHIND: &str = "No clause is named as the source of this rule.";
pub(crate) const NOT_CODIFIED: &str = "These rules were written without clauses.";
pub(crate) const WHOLE: &str = "Show the whole clause";
pub(crate) const FAILED: &str = "The lint has no answer:";
pub(crate) const NEEDS_CONTEXT: &str =
    "Which text does this clause refer to? It is not among the clauses.";

/// Returns the display name of a disposition.
pub(crate) fn fate(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::Mapped => "Became a rule",
        Disposition::Ambiguous => "Can be read in two ways",
        Disposition::Unsupported => "No rule can say it",
        Disposition::NonNormative => "Asks for nothing",
        Disposition::Refused => "Not taken up",
    }
}

/// Returns the six counts: "5 clauses", "3 became a rule", and so on.
pub(crate) fn counts(counts: Counts) -> [String; 6] {
    [
        count(counts.clauses as usize, "clause", "clauses"),
        format!("{} became a rule", counts.mapped),
        format!("{} can be read in two ways", counts.ambiguous),
        format!("{} no rule can say", counts.unsupported),
        format!("{} ask for nothing", counts.non_normative),
        format!("{} not taken up", counts.refused),
    ]
}

/// Returns, for example, "confidence 81 %".
pub(crate) fn confidence(percent: u32) -> String {
    format!("confidence {percent} %")
}

/// Returns the lint provider and its parameters.
pub(crate) fn linted(by: &str, questions: Option<&str>, floor: u32) -> String {
    let questions = questions.map(|name| format!(", questions {name}")).unwrap_or_default();
    format!(
        "Linted by {by}{questions}. Findings below {floor} % are left out. They are advice and block nothing."
    )
}
