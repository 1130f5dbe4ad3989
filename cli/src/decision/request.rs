//! The request of `evaluate` and `record`, from a file or from arguments.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use clap::Args;
use contract::{
    error::FieldError,
    field_path,
    json::{Limits, Object, ParseErrorCode, Value},
    read::{self, FromJson},
};

use crate::{
    document::{self, Format},
    exit::Error,
};

/// The maximum size of a file with a request. In YAML, it can be longer than the request.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The request of `evaluate` and `record`.
#[derive(Debug, Args)]
pub(super) struct RequestArgs {
    /// A request or a context in YAML or JSON; - for standard input
    #[arg(value_name = "FILE", required_unless_present = "decision_type")]
    file: Option<PathBuf>,
    /// The decision type, instead of the one in the file
    #[arg(long = "type", value_name = "TYPE")]
    decision_type: Option<String>,
    /// A field of the context, such as amount=1250 or payee.id=SUP-1, instead of the one in the file. A value that is
    /// JSON is not a text. A name with dots is a JSON string in brackets
    #[arg(long = "field", value_name = "NAME=VALUE", value_parser = field)]
    fields: Vec<Field>,
}

/// A field of the arguments.
#[derive(Clone, Debug)]
struct Field {
    /// The path as it is given.
    name: String,
    /// The names on the path.
    path: Vec<String>,
    value: Value,
}

const FORM: &str = "must have the form NAME=VALUE, with dots between the names of nested objects; a name with dots is \
    a JSON string in brackets: labels[\"a.b\"].c=1";

/// Parses a field. A value that begins like JSON must be JSON, so that a mistake does not become a text.
fn field(text: &str) -> Result<Field, String> {
    let (path, value) = path(text).ok_or(FORM)?;
    let name = text.strip_suffix(value).unwrap_or(text).trim_end_matches('=').to_owned();
    let value = match Value::parse(value.as_bytes(), &Limits::REQUEST) {
        Ok(json) => json,
        Err(error) if error.code != ParseErrorCode::JsonSyntax => {
            return Err(error.code.reason().to_owned());
        }
        Err(_) if value.trim_start().starts_with(['{', '[', '"']) => {
            let message =
                "begins like JSON and is not JSON; a text that begins so must be a JSON string";
            return Err(message.to_owned());
        }
        Err(_) => Value::from(value),
    };
    Ok(Field { name, path, value })
}

/// Splits a text into the names before `=`, which are spelled as in rules, and the value after it.
fn path(text: &str) -> Option<(Vec<String>, &str)> {
    let (end, segments) = text
        .match_indices('=')
        .find_map(|(end, _)| Some((end, field_path::segments(text.get(..end)?).ok()?)))?;
    let names: Vec<String> = segments.into_iter().map(Cow::into_owned).collect();
    let has_names = names.iter().all(|name| !name.is_empty());
    has_names.then_some((names, text.get(end + 1..)?))
}

/// A request before it is read: the tree, and where it comes from.
struct Source {
    request: Object,
    /// The text of the file and its format.
    text: Option<(String, Format)>,
    /// Whether the file is the context, so that its pointers have no `/context`.
    is_context: bool,
}

impl RequestArgs {
    /// Returns the body of the request, after reading it as the service does. `complete` adds members to it.
    pub(super) fn read<T: FromJson>(
        &self,
        complete: impl FnOnce(&mut Object),
    ) -> Result<Object, Error> {
        let mut source = match &self.file {
            Some(path) => read_file(path)?,
            None => Source {
                request: Object::from([(
                    "context",
                    Object::from([("fields", Object::new().into())]).into(),
                )]),
                text: None,
                is_context: false,
            },
        };
        let misplaced = self.apply(&mut source.request)?;
        complete(&mut source.request);
        let request = Value::Object(source.request.clone());
        let errors = match Value::parse(request.to_canonical().as_bytes(), &Limits::REQUEST) {
            Ok(request) => read::body::<T>(&request).err(),
            Err(error) => {
                let (code, message) = (error.code.as_str(), error.code.reason());
                let (code, message) = (code.to_owned(), message.to_owned());
                Some(vec![FieldError { path: String::new(), code, message }])
            }
        };
        match (errors, misplaced) {
            (Some(errors), _) => Err(self.invalid(&source, errors)),
            (None, Some(name)) => Err(Error::Input(format!(
                "--field `{name}` is below a value of the file that is not an object"
            ))),
            (None, None) => Ok(source.request),
        }
    }

    /// Sets what the arguments contain. A member of the wrong type stays, so that it is refused. Returns the first field
    /// that could not be set.
    fn apply(&self, request: &mut Object) -> Result<Option<&str>, Error> {
        let mut misplaced = None;
        if let Some(decision_type) = &self.decision_type {
            set(request, &["context", "decision_type"], decision_type.as_str().into());
        }
        for (index, Field { name, path, value }) in self.fields.iter().enumerate() {
            let overlaps =
                |other: &&Field| other.path.starts_with(path) || path.starts_with(&other.path);
            if let Some(other) = self.fields.iter().take(index).find(overlaps) {
                let message = format!(
                    "--field `{name}` contradicts --field `{}`; give each field once",
                    other.name
                );
                return Err(Error::Input(message));
            }
            let names = path.iter().map(String::as_str);
            let path: Vec<&str> = ["context", "fields"].into_iter().chain(names).collect();
            if !set(request, &path, value.clone()) {
                misplaced = misplaced.or(Some(name.as_str()));
            }
        }
        Ok(misplaced)
    }

    /// Creates the error of a request, with the places in the file.
    fn invalid(&self, source: &Source, mut errors: Vec<FieldError>) -> Error {
        for error in &mut errors {
            if error.path == "/idempotency_key" && error.code == "required" {
                error
                    .message
                    .push_str("; use --idempotency-key with a key that identifies the operation");
            }
        }
        if source.is_context {
            for error in &mut errors {
                if let Some(path) = error.path.strip_prefix("/context") {
                    error.path = path.to_owned();
                }
            }
        }
        match (&self.file, &source.text) {
            (Some(path), Some((text, format))) => {
                Error::fields(path, errors, |pointer| format.line_of(text, pointer))
            }
            _ => Error::Fields {
                file: None,
                errors: errors.into_iter().map(|error| (None, error)).collect(),
            },
        }
    }
}

/// Returns the request in the file. A file without the member `context` is a context.
fn read_file(path: &Path) -> Result<Source, Error> {
    let text = document::read_text_or_stdin(path, FILE_BYTES_MAX)?;
    let format = Format::of(path).unwrap_or_else(|| format_of(&text));
    let value = format.parse(&text).map_err(|error| Error::file(path, error))?;
    let Value::Object(object) = value else { return Err(Error::file(path, "must be an object")) };
    let is_context = object.get("context").is_none();
    let request = if is_context { Object::from([("context", object.into())]) } else { object };
    Ok(Source { request, text: Some((text, format)), is_context })
}

/// Returns the format of a text without a name. JSON is read as such, because some of its strings are not valid in YAML.
fn format_of(text: &str) -> Format {
    let json = Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE);
    let is_json = json.map_or_else(|error| error.code != ParseErrorCode::JsonSyntax, |_| true);
    if is_json { Format::Json } else { Format::Yaml }
}

/// Sets the value at a path, and creates the objects on the way. Returns `false` if a value on the way is not an
/// object; it then stays.
fn set(object: &mut Object, path: &[&str], value: Value) -> bool {
    let [first, rest @ ..] = path else { return false };
    if rest.is_empty() {
        object.insert(*first, value);
        return true;
    }
    let mut inner = object.remove(first).unwrap_or_else(|| Object::new().into());
    let is_set = match &mut inner {
        Value::Object(members) => set(members, rest, value),
        _ => false,
    };
    object.insert(*first, inner);
    is_set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_spelled_as_in_rules() {
        let read = |text: &str| field(text).map(|field| (field.path.join("|"), field.name));
        for (text, path, name) in [
            ("a=1", "a", "a"),
            ("a.b=c=d", "a|b", "a.b"),
            ("a[\"x.y=\\\"]\"].b==", "a|x.y=\"]|b", "a[\"x.y=\\\"]\"].b"),
            ("[\"a.b\"]=", "a.b", "[\"a.b\"]"),
            ("a[0]=1", "a[0]", "a[0]"),
        ] {
            assert_eq!(read(text), Ok((path.to_owned(), name.to_owned())), "{text}");
        }
        for text in ["a", "=1", "a.=1", ".a=1", "a..b=1", "a[\"b\"]c=1", "a[\"b=1", "a.[\"b\"]=1"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_text_without_a_name_is_json_or_yaml() {
        for text in [r#"{"a": "\ud83d\ude00"}"#, "{\n\t\"a\": 1}", r#"{"a": 1, "a": 2}"#] {
            assert_eq!(format_of(text), Format::Json, "{text}");
        }
        for text in ["a: 1\n", "{a: 1}", "", "{\"a\": 1"] {
            assert_eq!(format_of(text), Format::Yaml, "{text}");
        }
    }
}
