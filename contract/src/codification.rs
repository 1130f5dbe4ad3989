//! Codification: the mapping of clauses of a source document to rules.

mod record;

use crate::{
    json::Value,
    read::{
        FieldErrors, FromJson, JsonPath, ObjectReader, list, long_text,
        schema::{self, Shape},
        text,
    },
};

pub use self::record::{
    ClauseLint, CodificationError, CodificationRecord, Counts, Disposition, Finding, FindingCode,
    FindingEvidence, Lint, LintStatus, RefusalKind, StoredLedgerEntry,
};

/// The schema name of a [`CodificationRecord`].
pub const RECORD_SCHEMA: &str = "service-codification-record/v1";

/// The schema name of a [`Lint`].
pub const LINT_SCHEMA: &str = "service-codification-lint/v1";

/// The maximum number of clauses of a codification.
pub const CLAUSES_MAX: usize = 2_000;

/// The maximum number of ledger entries of a codification.
pub const LEDGER_MAX: usize = 5_000;

/// The maximum length of a text in characters (contract, section 1).
const TEXT_MAX: usize = 65_536;

/// The document that the clauses come from.
#[wire(Eq, FromJson)]
pub struct SourceDocument {
    /// The name of the document.
    #[json(with = text(1, TEXT_MAX))]
    pub document: String,
    /// The URL of the document.
    #[json(with = text(1, 2_048))]
    pub url: Option<String>,
}

/// A clause of the source document, verbatim.
#[wire(Eq, FromJson)]
pub struct Clause {
    /// The ID of the clause, unique in the codification: 1 to 100 characters.
    #[json(with = text(1, 100))]
    pub unit_id: String,
    /// The location in the document, such as `section 12(3)`.
    #[json(with = text(1, TEXT_MAX))]
    pub locator: String,
    /// The verbatim text of the clause.
    // The codifier reports an empty text with its own error kind.
    #[json(with = long_text)]
    pub text: String,
}

/// The disposition of one clause in the ledger.
#[wire(Eq)]
pub struct LedgerEntry {
    /// The ID of the clause.
    pub unit_id: String,
    /// The disposition of the clause.
    pub disposition: Disposition,
    /// The code of the rule that the clause is mapped to; required with `mapped`.
    pub rule_code: Option<String>,
    /// The reason for the disposition.
    pub note: Option<String>,
}

impl FromJson for LedgerEntry {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let unit_id = members.required("unit_id", text(1, 100));
        let disposition = members.required("disposition", Disposition::from_json);
        let rule_code = if disposition == Some(Disposition::Mapped) {
            members.required("rule_code", text(1, 100))
        } else {
            members.optional("rule_code", text(1, 100))
        };
        let note = members.optional("note", long_text);
        members.one_of(|| {
            let mapped = Disposition::Mapped.as_str();
            let others = Disposition::NAMES.into_iter().filter(|name| *name != mapped);
            let case = |required: Option<&'static str>, names| Shape {
                required: required.into_iter().collect(),
                overrides: vec![("disposition", names)],
                ..Shape::default()
            };
            vec![
                case(Some("rule_code"), schema::string_enum([mapped])),
                case(None, schema::string_enum(others)),
            ]
        });
        members.finish()?;
        Some(Self { unit_id: unit_id?, disposition: disposition?, rule_code, note })
    }
}

/// The member `codification` of a request: clauses, and a ledger that states how each was handled.
#[wire(Eq, FromJson)]
pub struct Codification {
    /// The document that the clauses come from.
    pub source: SourceDocument,
    /// The clauses, in the order of the document.
    #[json(with = list(CLAUSES_MAX, Clause::from_json))]
    pub clauses: Vec<Clause>,
    /// At least one entry for each clause.
    #[json(with = list(LEDGER_MAX, LedgerEntry::from_json))]
    pub ledger: Vec<LedgerEntry>,
}
