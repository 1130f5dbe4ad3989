//! Values of conditions and gates as form input: a kind, and a text.

use crate::prelude::*;

/// The kinds of values, with their labels.
pub const KINDS: [(&str, &str); 4] =
    [("text", "text"), ("number", "number"), ("truth", "true/false"), ("json", "as JSON")];

/// The values of the kind `truth`, with their labels.
pub const TRUTHS: [(&str, &str); 2] = [("true", "true"), ("false", "false")];

/// Returns the kind that can represent all of `values`. With one value per line, an empty string is
/// represented as JSON.
pub(super) fn kind(values: &[Value], lines: bool) -> &'static str {
    let is_line = |value: &Value| match value.as_str() {
        Some(text) => !(lines && text.is_empty()),
        None => false,
    };
    if values.iter().all(is_line) {
        "text"
    } else if values.iter().all(|value| matches!(value, Value::Number(_))) {
        "number"
    } else if values.iter().all(|value| matches!(value, Value::Bool(_))) {
        "truth"
    } else {
        "json"
    }
}

/// Returns the input text of `value` for `kind`.
pub(super) fn to_input(value: &Value, kind: &str) -> String {
    match value.as_str() {
        Some(text) if kind == "text" => text.to_owned(),
        _ => value.to_canonical(),
    }
}

/// Parses input as a value of `kind`. Input of another kind becomes a string, with an error at `path`.
pub(super) fn read(text: &str, kind: &str, path: &str, errors: &mut Vec<FieldError>) -> Value {
    if kind == "text" {
        return Value::from(text);
    }
    let read = Value::parse(text.trim().as_bytes(), &Limits::REQUEST).ok();
    let (is_valid, message): (fn(&Value) -> bool, _) = match kind {
        "number" => (|value| matches!(value, Value::Number(_)), "must be a number, such as 2500"),
        "truth" => (|value| matches!(value, Value::Bool(_)), "must be true or false"),
        _ => (|_| true, "must be a JSON value, such as \"new\" or 5"),
    };
    read.filter(is_valid).unwrap_or_else(|| {
        errors.push(field_error(path, "type", message));
        Value::from(text)
    })
}

/// Creates an error for a form value that cannot be converted to a rule.
pub(super) fn field_error(path: &str, code: &str, message: &str) -> FieldError {
    FieldError { path: path.to_owned(), code: code.to_owned(), message: message.to_owned() }
}

/// Returns the lines of a text area that are not empty, without trimming.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty())
}
