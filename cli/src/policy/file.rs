//! Policy files: the body of `POST /v1/policies`, with rules.

use std::{
    fs,
    path::{Path, PathBuf},
};

use contract::{
    json::{Object, Value},
    policy::PolicyDraft,
    read::{self, FieldErrors, FromJson, JsonPath},
    rule::Rule,
};

use crate::{
    document::{self, Format},
    exit::Error,
};

/// The maximum size of a policy file.
pub(super) const BYTES_MAX: u64 = 16 << 20;

/// A valid policy file.
#[derive(Clone, Debug)]
pub struct PolicyFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The format of the file.
    pub format: Format,
    /// The value of the file, without `$schema`.
    pub value: Value,
    /// The members of the policy.
    pub source: PolicySource,
}

/// The value of a policy file.
#[derive(Clone, Debug)]
pub struct PolicySource {
    /// The members of the policy.
    pub draft: PolicyDraft,
    /// The rules.
    pub rules: Vec<Rule>,
}

impl FromJson for PolicySource {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let draft = PolicyDraft::from_json(value, at, errors);
        let at = at.name("rules");
        let rules = match value.get("rules") {
            // Another check refuses values of other types.
            Some(Value::Array(_)) => value.get("rules"),
            Some(Value::Null) | None => {
                errors.push(&at, "required", "is required");
                None
            }
            Some(_) => None,
        };
        let rules = engine::parse::read_rules(rules?, &at, errors);
        Some(Self { draft: draft?, rules: rules? })
    }
}

impl PolicyFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Returns all errors of the file, with their lines.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let format = format(path)?;
        let text = document::read_text(path, BYTES_MAX)?;
        Self::parse(path, format, &text)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Returns all errors of the file, with their lines.
    pub fn parse(path: &Path, format: Format, text: &str) -> Result<Self, Error> {
        let value = format.parse(text).map_err(|error| Error::file(path, error))?;
        let value = without_schema(value);
        let source = read::body::<PolicySource>(&value).map_err(|errors| {
            Error::fields(path, errors, |pointer| format.line_of(text, pointer))
        })?;
        Ok(Self { path: path.to_owned(), format, value, source })
    }

    /// Returns the rules as authored.
    pub fn rules(&self) -> &[Value] {
        self.value.get("rules").and_then(Value::as_array).unwrap_or_default()
    }

    /// Returns the code of the policy.
    pub fn code(&self) -> &str {
        &self.source.draft.code
    }
}

/// Returns the format of a file.
///
/// # Errors
/// Returns an error for an unknown extension.
pub fn format(path: &Path) -> Result<Format, Error> {
    Format::of(path).ok_or_else(|| Error::file(path, "must end with .yaml, .yml or .json"))
}

/// Removes the member that names the schema for editors.
fn without_schema(value: Value) -> Value {
    match value {
        Value::Object(mut members) => {
            members.remove("$schema");
            Value::Object(members)
        }
        other => other,
    }
}

/// Returns a value without its `null` members, which are absent for the service.
pub(crate) fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let present = members.iter().filter(|(_, member)| !matches!(member, Value::Null));
            let present = present.map(|(name, member)| (name.to_owned(), without_nulls(member)));
            Value::Object(present.collect::<Object>())
        }
        scalar => scalar.clone(),
    }
}

/// Returns the files `*.policy.yaml`, `*.policy.yml` and `*.policy.json` in a directory and its
/// subdirectories, in the order of their paths. A path of a file is returned as it is.
///
/// # Errors
/// Returns an error if a directory cannot be read.
pub fn find(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| Error::file(path, error))? {
        let entry = entry.map_err(|error| Error::file(path, error))?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        // A link to a directory may lead back to this one.
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let path = entry.path();
        if is_directory && !is_hidden {
            files.extend(find(&path)?);
        } else if is_policy(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn is_policy(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new);
    let is_named = stem.and_then(Path::extension).is_some_and(|extension| extension == "policy");
    // A link that leads nowhere is reported, so that no policy is left out.
    let is_file = path.is_file() || (path.is_symlink() && !path.exists());
    is_named && Format::of(path).is_some() && is_file
}
