//! What is kept of a codification with the version, exactly as the specification shows it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Clause, Source};

macro_rules! words {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[doc = $doc])+ $variant,)+ }

        impl $name {
            /// All of them.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The words of the wire.
            pub const WORDS: [&'static str; [$($word),+].len()] = [$($word),+];

            /// The word of the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(())
            }
        }
    };
}

words! {
    /// What became of a clause.
    Disposition {
        /// It became a rule.
        Mapped = "mapped",
        /// It can be read in more than one way.
        Ambiguous = "ambiguous",
        /// No rule type can express it.
        Unsupported = "unsupported",
        /// It asks for nothing: a definition, a purpose.
        NonNormative = "non_normative",
        /// The author declines to make it a rule.
        Refused = "refused",
    }
}

words! {
    /// Why something cannot be codified.
    RefusalKind {
        /// Clauses and ledger do not know each other: an entry names no clause, or a clause has no entry.
        UnknownClause = "unknown_clause",
        /// An entry names a rule that is not there.
        UnknownRule = "unknown_rule",
        /// No entry names the rule.
        UnmappedRule = "unmapped_rule",
        /// Two clauses have one unit id.
        DuplicateUnit = "duplicate_unit",
        /// A clause without words.
        EmptyClause = "empty_clause",
    }
}

words! {
    /// What the built-in lint finds.
    FindingCode {
        /// Guidance (should, may) became a rule that denies.
        GuidanceAsObligation = "guidance_as_obligation",
        /// An obligation (shall, must) became a rule that changes nothing.
        ObligationAsGuidance = "obligation_as_guidance",
        /// A number of the clause stands in none of its rules.
        NumberNotInRule = "number_not_in_rule",
        /// A word that nobody can measure.
        VagueTerm = "vague_term",
        /// A reference to a text that the clauses do not contain.
        UndefinedReference = "undefined_reference",
        /// An obligation that became no rule.
        ObligationUnmapped = "obligation_unmapped",
    }
}

words! {
    /// Whether the lint has an answer.
    LintStatus {
        /// It has.
        Ran = "ran",
        /// The answerer did not answer; `reason` says why.
        Failed = "failed",
    }
}

/// What is kept of a codification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CodificationRecord {
    /// `service-codification-record/v1`
    pub schema: String,
    /// Where the clauses come from.
    pub source: Source,
    /// The clauses, in the order of the document.
    pub clauses: Vec<Clause>,
    /// What became of each.
    pub ledger: Vec<LedgerLine>,
    /// How many clauses there are, and how many of each disposition.
    pub counts: Counts,
    /// What could not be codified; empty in what is stored.
    pub refusals: Vec<Refusal>,
    /// What a reader should know.
    pub lint: Lint,
}

/// What became of a clause, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LedgerLine {
    /// The clause.
    pub unit_id: String,
    /// What became of it.
    pub disposition: Disposition,
    /// Why, for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

/// How many clauses there are, and how many of them have an entry of each disposition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Counts {
    /// All clauses.
    pub clauses: u32,
    /// Those that became a rule.
    pub mapped: u32,
    /// Those that can be read in more than one way.
    pub ambiguous: u32,
    /// Those that no rule type can express.
    pub unsupported: u32,
    /// Those that ask for nothing.
    pub non_normative: u32,
    /// Those that the author declines to make a rule.
    pub refused: u32,
}

/// Why something cannot be codified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refusal {
    /// The clause, when it is about one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unit_id: Option<String>,
    /// The rule, when it is about one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_code: Option<String>,
    /// What is wrong.
    pub kind: RefusalKind,
    /// A sentence for people.
    pub message: String,
}

/// What the lint says of the clauses and their rules. It informs people and blocks nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Lint {
    /// `service-codification-lint/v1`
    pub schema: String,
    /// Whether there is an answer.
    pub status: LintStatus,
    /// Who answered: `builtin`, or `jev` for an answerer over HTTP.
    pub answerer: String,
    /// Which questions were put; absent when the answerer never said.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub questions_version: Option<String>,
    /// Findings below this confidence, in percent, were dropped.
    pub floor: u32,
    /// One for each clause, in order; empty when there is no answer.
    pub clauses: Vec<ClauseLint>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The model behind the answer, when there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<String>,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u32,
}

/// What the lint says of one clause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClauseLint {
    /// The clause.
    pub unit_id: String,
    /// What a reader should know.
    pub findings: Vec<Finding>,
    /// Whether the clause cannot be understood without a text that is not among the clauses.
    pub needs_context: bool,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    /// A [`FindingCode`], or a word of an answerer over HTTP.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// What speaks for it.
    pub evidence: Evidence,
}

/// What speaks for a finding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// How sure the answerer is, from 0 to 1.
    pub confidence: f64,
}
