//! Test cases of a policy: `{name, context, expect}` in a file next to it.

use std::path::{Path, PathBuf};

use contract::{
    decision::{Actor, DecisionContext},
    evaluation::{ReasonCode, Verdict},
    json::Value,
    read::{self, FieldErrors, FromJson, JsonPath, ObjectReader, list, text},
    string_enum::StringEnum,
};

use super::file;
use crate::{document, exit::Error};

/// The maximum number of cases of a file.
pub const CASES_MAX: usize = 100_000;

/// The maximum size of a file with cases.
const BYTES_MAX: u64 = 64 << 20;

/// The maximum number of expected violations of a case.
const VIOLATIONS_MAX: usize = 10_000;

/// A test case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name, unique in the file.
    pub name: String,
    /// The context to evaluate.
    pub context: DecisionContext,
    /// The actor of the decision.
    pub actor: Option<Actor>,
    /// The expected result.
    pub expect: Expectation,
}

/// The expected result of a case: a verdict, or an object with `decision` and `violations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The verdict.
    pub decision: Verdict,
    /// All violations in any order; absent means any violations.
    pub violations: Option<Vec<ExpectedViolation>>,
}

/// An expected violation: the code of a rule, or an object with `rule_code`, `reason_code` and `field`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedViolation {
    /// The code of the rule.
    pub rule_code: String,
    /// The reason code; absent means any.
    pub reason_code: Option<ReasonCode>,
    /// The field; absent means any.
    pub field: Option<String>,
}

/// The value of a file: a list of cases.
#[derive(Clone, Debug)]
pub struct Cases(pub Vec<Case>);

impl FromJson for Cases {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let cases = list(CASES_MAX, Case::from_json)(value, at, errors)?;
        let mut names = std::collections::BTreeSet::new();
        for (index, case) in cases.iter().enumerate() {
            if !names.insert(case.name.as_str()) {
                let message = format!("`{}` is already the name of an earlier case", case.name);
                errors.push(&at.index(index).name("name"), "duplicate", message);
            }
        }
        Some(Self(cases))
    }
}

impl FromJson for Case {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let name = members.required("name", text(1, 500));
        let context = members.required("context", DecisionContext::from_json);
        let actor = members.optional("actor", Actor::from_json);
        let expect = members.required("expect", Expectation::from_json);
        members.finish()?;
        Some(Self { name: name?, context: context?, actor, expect: expect? })
    }
}

impl FromJson for Expectation {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        if value.as_object().is_none() {
            let decision = named(value, at, errors)?;
            return Some(Self { decision, violations: None });
        }
        let mut members = ObjectReader::new(value, at, errors)?;
        let decision = members.required("decision", named);
        let violations = list(VIOLATIONS_MAX, ExpectedViolation::from_json);
        let violations = members.optional("violations", violations);
        members.finish()?;
        Some(Self { decision: decision?, violations })
    }
}

impl FromJson for ExpectedViolation {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        if value.as_object().is_none() {
            let rule_code = read::code(value, at, errors)?;
            return Some(Self { rule_code, reason_code: None, field: None });
        }
        let mut members = ObjectReader::new(value, at, errors)?;
        let rule_code = members.required("rule_code", read::code);
        let reason_code = members.optional("reason_code", named);
        let field = members.optional("field", text(0, 2_000));
        members.finish()?;
        Some(Self { rule_code: rule_code?, reason_code, field })
    }
}

/// Reads a wire name.
fn named<E: StringEnum>(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<E> {
    let named = value.as_str().and_then(E::from_name);
    if named.is_none() {
        errors.push(at, "enum", format!("must be one of {}", E::NAMES.join(", ")));
    }
    named
}

impl Cases {
    /// Reads a file.
    ///
    /// # Errors
    /// Returns all errors of the file, with their lines.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let format = file::format(path)?;
        let text = document::read_text(path, BYTES_MAX)?;
        let value = format.parse(&text).map_err(|error| Error::file(path, error))?;
        read::body(&value)
            .map_err(|errors| Error::fields(path, errors, |pointer| format.line_of(&text, pointer)))
    }
}

/// Returns the path of the cases of a policy: `pay.cases.yaml` for `pay.policy.yaml` or `pay.yaml`. The
/// extensions of both files may differ.
///
/// # Errors
/// Returns an error if there are several files, because the cases of all but one would not be evaluated.
pub fn path_of(policy: &Path) -> Result<Option<PathBuf>, Error> {
    let mut stem = policy.file_stem().unwrap_or_default().to_owned();
    if Path::new(&stem).extension().is_some_and(|extension| extension == "policy") {
        stem = Path::new(&stem).file_stem().unwrap_or_default().to_owned();
    }
    let path = |extension: &str| {
        let mut name = stem.clone();
        name.push(".cases.");
        name.push(extension);
        policy.with_file_name(name)
    };
    let mut paths = ["yaml", "yml", "json"].map(path).into_iter().filter(|path| path.is_file());
    let found = paths.next();
    if let (Some(first), Some(second)) = (&found, paths.next()) {
        let cause = format!("`{}` also has its cases; keep one file", second.display());
        return Err(Error::file(first, cause));
    }
    Ok(found)
}
