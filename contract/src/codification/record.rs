//! The codification record, which is stored with the version (specification, "Codification").

use super::{Clause, SourceDocument};

string_enum! {
    /// The disposition of a clause.
    pub enum Disposition {
        /// The clause is mapped to a rule.
        Mapped = "mapped",
        /// The clause can be read in more than one way.
        Ambiguous = "ambiguous",
        /// No rule type can express the clause.
        Unsupported = "unsupported",
        /// The clause requires nothing, for example a definition or a purpose.
        NonNormative = "non_normative",
        /// The author declined to map the clause to a rule.
        Refused = "refused",
    }
}

string_enum! {
    /// The kind of a codification error.
    pub enum RefusalKind {
        /// An entry references an unknown clause, or a clause has no entry.
        UnknownClause = "unknown_clause",
        /// An entry references an unknown rule.
        UnknownRule = "unknown_rule",
        /// No entry references the rule.
        UnmappedRule = "unmapped_rule",
        /// Two clauses have the same `unit_id`.
        DuplicateUnit = "duplicate_unit",
        /// The text of a clause is empty.
        EmptyClause = "empty_clause",
    }
}

string_enum! {
    /// The code of a finding of the built-in lint.
    pub enum FindingCode {
        /// A clause is guidance (should, may) but maps to a rule that denies.
        GuidanceAsObligation = "guidance_as_obligation",
        /// A clause is an obligation (shall, must) but maps to a rule that does not affect the verdict.
        ObligationAsGuidance = "obligation_as_guidance",
        /// A number in the clause is missing from its rules.
        NumberNotInRule = "number_not_in_rule",
        /// The clause contains a term that cannot be measured.
        VagueTerm = "vague_term",
        /// The clause references a text that is not among the clauses.
        UndefinedReference = "undefined_reference",
        /// An obligation is not mapped to a rule.
        ObligationUnmapped = "obligation_unmapped",
    }
}

string_enum! {
    /// The status of a lint.
    pub enum LintStatus {
        /// The lint has a result.
        Ran = "ran",
        /// The lint provider returned no result; `reason` contains the cause.
        Failed = "failed",
    }
}

/// The stored result of a codification.
#[wire]
pub struct CodificationRecord {
    /// Always `service-codification-record/v1`.
    pub schema: String,
    /// The document that the clauses come from.
    pub source: SourceDocument,
    /// The clauses, in the order of the document.
    pub clauses: Vec<Clause>,
    /// The dispositions of the clauses.
    pub ledger: Vec<StoredLedgerEntry>,
    /// The number of clauses, in total and by disposition.
    pub counts: Counts,
    /// Codification errors; empty in a stored record.
    pub refusals: Vec<CodificationError>,
    /// The lint of the clauses and their rules.
    pub lint: Lint,
}

/// A stored ledger entry.
#[wire(Eq)]
pub struct StoredLedgerEntry {
    /// The ID of the clause.
    pub unit_id: String,
    /// The disposition of the clause.
    pub disposition: Disposition,
    /// The reason for the disposition.
    pub note: Option<String>,
}

/// The number of clauses, in total and with an entry of each disposition.
#[wire(Copy, Default, Eq)]
pub struct Counts {
    /// The number of all clauses.
    pub clauses: u32,
    /// The number of clauses that are mapped to a rule.
    pub mapped: u32,
    /// The number of clauses that can be read in more than one way.
    pub ambiguous: u32,
    /// The number of clauses that no rule type can express.
    pub unsupported: u32,
    /// The number of clauses that require nothing.
    pub non_normative: u32,
    /// The number of clauses that the author declined to map.
    pub refused: u32,
}

/// A codification error.
#[wire(Eq)]
pub struct CodificationError {
    /// The ID of the clause, if the error concerns one.
    pub unit_id: Option<String>,
    /// The code of the rule, if the error concerns one.
    pub rule_code: Option<String>,
    /// The kind of error.
    pub kind: RefusalKind,
    /// A message for people.
    pub message: String,
}

/// The lint of the clauses and their rules. It is advisory and blocks nothing.
#[wire]
pub struct Lint {
    /// Always `service-codification-lint/v1`.
    pub schema: String,
    /// Whether the lint has a result.
    pub status: LintStatus,
    /// The lint provider: `builtin`, or `jev` for a provider over HTTP.
    pub answerer: String,
    /// The version of the provider's questions; absent if the provider did not report it.
    pub questions_version: Option<String>,
    /// The confidence threshold in percent. Findings below it were dropped.
    pub floor: u32,
    /// One item per clause, in order; empty if there is no result.
    pub clauses: Vec<ClauseLint>,
    /// The reason why there is no result.
    pub reason: Option<String>,
    /// The model of the provider, if it uses one.
    pub model: Option<String>,
    /// The duration in milliseconds.
    pub elapsed_ms: u32,
}

/// The lint of one clause.
#[wire]
pub struct ClauseLint {
    /// The ID of the clause.
    pub unit_id: String,
    /// The findings for the clause.
    pub findings: Vec<Finding>,
    /// Whether the clause can only be understood with a text that is not among the clauses.
    pub needs_context: bool,
}

/// A finding of the lint.
#[wire]
pub struct Finding {
    /// A [`FindingCode`], or a code of a lint provider over HTTP.
    pub code: String,
    /// A message for people.
    pub message: String,
    /// The evidence for the finding.
    pub evidence: FindingEvidence,
}

/// The evidence for a finding.
#[wire(Copy)]
pub struct FindingEvidence {
    /// The confidence of the lint provider, from 0 to 1.
    pub confidence: f64,
}
