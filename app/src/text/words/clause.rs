//! The clauses of a version.

use contract::codification::Disposition;

pub(crate) const TITLE: &str = "Clauses";
pub(crate) const FAILED: &str = "The lint has no answer:";

/// What became of a clause.
pub(crate) fn fate(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::Mapped => "Became a rule",
        Disposition::Ambiguous => "Can be read in two ways",
        Disposition::Unsupported => "No rule can say it",
        Disposition::NonNormative => "Asks for nothing",
        Disposition::Refused => "Not taken up",
    }
}
