//! Codification: from the clauses of a source text to rules, and what a reader of both should know.

mod record;

use crate::{
    json::Value,
    read::{
        At, Errors, Members, Read, list, prose,
        schema::{self, Shape},
        text, word,
    },
};

pub use self::record::{
    ClauseLint, CodificationRecord, Counts, Disposition, Evidence, Finding, FindingCode,
    LedgerLine, Lint, LintStatus, Refusal, RefusalKind,
};

/// The schema of a [`CodificationRecord`].
pub const RECORD_SCHEMA: &str = "service-codification-record/v1";

/// The schema of a [`Lint`].
pub const LINT_SCHEMA: &str = "service-codification-lint/v1";

/// How many clauses one block declares.
pub const CLAUSES_MAX: usize = 2_000;

/// How many ledger entries one block holds.
pub const LEDGER_MAX: usize = 5_000;

/// Longest text, in characters (contract, section 1).
const TEXT_MAX: usize = 65_536;

/// Where the clauses come from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Source {
    /// The document's name.
    pub document: String,
    /// Where it can be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub url: Option<String>,
}

impl Read for Source {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let document = members.required("document", text(1, TEXT_MAX));
        let url = members.optional("url", text(1, 2_048));
        members.finish()?;
        Some(Self { document: document?, url })
    }
}

/// One clause of the source, word for word.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Clause {
    /// Names the clause within the block: 1 to 100 characters.
    pub unit_id: String,
    /// Where it stands in the document, such as `section 12(3)`.
    pub locator: String,
    /// Its words.
    pub text: String,
}

impl Read for Clause {
    /// An empty text is read: the codifier refuses it by a kind of its own.
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let unit_id = members.required("unit_id", text(1, 100));
        let locator = members.required("locator", text(1, TEXT_MAX));
        let text = members.required("text", prose);
        members.finish()?;
        Some(Self { unit_id: unit_id?, locator: locator?, text: text? })
    }
}

/// What became of a clause.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LedgerEntry {
    /// The clause.
    pub unit_id: String,
    /// What became of it.
    pub disposition: Disposition,
    /// The rule that it became; required with `mapped`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_code: Option<String>,
    /// Why, for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

impl Read for LedgerEntry {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let unit_id = members.required("unit_id", text(1, 100));
        let disposition = members.required("disposition", word(&Disposition::WORDS));
        let rule_code = if disposition == Some(Disposition::Mapped) {
            members.required("rule_code", text(1, 100))
        } else {
            members.optional("rule_code", text(1, 100))
        };
        let note = members.optional("note", prose);
        members.one_of(|| {
            let mapped = Disposition::Mapped.as_str();
            let others = Disposition::WORDS.into_iter().filter(|word| *word != mapped);
            let case = |required: Option<&'static str>, words| Shape {
                required: required.into_iter().collect(),
                fixed: vec![("disposition", words)],
                ..Shape::default()
            };
            vec![
                case(Some("rule_code"), schema::words([mapped])),
                case(None, schema::words(others)),
            ]
        });
        members.finish()?;
        Some(Self { unit_id: unit_id?, disposition: disposition?, rule_code, note })
    }
}

/// The member `codification` of a request: clauses, and a ledger of what became of each.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Codification {
    /// Where the clauses come from.
    pub source: Source,
    /// The clauses, in the order of the document.
    pub clauses: Vec<Clause>,
    /// At least one entry for each clause.
    pub ledger: Vec<LedgerEntry>,
}

impl Read for Codification {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let source = members.required("source", Source::read);
        let clauses = members.required("clauses", list(CLAUSES_MAX, Clause::read));
        let ledger = members.required("ledger", list(LEDGER_MAX, LedgerEntry::read));
        members.finish()?;
        Some(Self { source: source?, clauses: clauses?, ledger: ledger? })
    }
}
