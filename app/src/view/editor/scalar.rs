//! Values of conditions and gates as people type them: a kind, and a text.

use contract::{
    error::FieldError,
    json::{Limits, Value},
};

/// The kinds of values, by the words of the form, and what people call them.
pub const KINDS: [(&str, &str); 4] =
    [("text", "text"), ("number", "number"), ("truth", "true/false"), ("json", "as JSON")];

/// The kind under which all of `values` can be typed. A text that has no line of its own to stand
/// on goes as JSON.
pub(super) fn kind(values: &[Value], lines: bool) -> &'static str {
    let has_line = |value: &Value| match value.as_str() {
        Some(text) => !(lines && text.is_empty()),
        None => false,
    };
    if values.iter().all(has_line) {
        "text"
    } else if values.iter().all(|value| matches!(value, Value::Number(_))) {
        "number"
    } else if values.iter().all(|value| matches!(value, Value::Bool(_))) {
        "truth"
    } else {
        "json"
    }
}

/// How `value` is typed under `kind`.
pub(super) fn typed(value: &Value, kind: &str) -> String {
    match value.as_str() {
        Some(text) if kind == "text" => text.to_owned(),
        _ => value.to_canonical(),
    }
}

/// What was typed, as a value. A text of another kind stays a text, with a fault at `path`.
pub(super) fn read(text: &str, kind: &str, path: &str, faults: &mut Vec<FieldError>) -> Value {
    if kind == "text" {
        return Value::from(text);
    }
    let read = Value::parse(text.trim().as_bytes(), &Limits::REQUEST).ok();
    let (fits, message): (fn(&Value) -> bool, _) = match kind {
        "number" => (|value| matches!(value, Value::Number(_)), "must be a number, such as 2500"),
        "truth" => (|value| matches!(value, Value::Bool(_)), "must be true or false"),
        _ => (|_| true, "must be a JSON value, such as \"new\" or 5"),
    };
    read.filter(fits).unwrap_or_else(|| {
        faults.push(fault(path, "type", message));
        Value::from(text)
    })
}

/// Something that a form cannot turn into a rule.
pub(super) fn fault(path: &str, code: &str, message: &str) -> FieldError {
    FieldError { path: path.to_owned(), code: code.to_owned(), message: message.to_owned() }
}

/// The lines of a text area that hold something.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty())
}
