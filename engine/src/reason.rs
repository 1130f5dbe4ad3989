//! Messages for people: why a gate did not match, and values in violations.

use contract::json::Value;

/// The maximum number of characters of a value in a message; `actual_value` contains the whole value.
const VALUE_CHARS_MAX: usize = 100;

/// Returns why `equals`, `in` or `exists: true` fails for an absent field.
pub(crate) fn missing(field: &str) -> String {
    format!("{field} is missing")
}

/// Returns why `exists: false` fails.
pub(crate) fn present(field: &str) -> String {
    format!("{field} is present")
}

/// Returns why `equals` or `in` fails; `expected` is the result of [`not`] or [`not_one_of`].
pub(crate) fn differs(field: &str, actual: &Value, expected: &str) -> String {
    let mut text = String::with_capacity(64);
    text.push_str(field);
    text.push_str(" is ");
    actual.write_canonical(&mut text);
    text.push_str(", ");
    text.push_str(expected);
    text
}

/// Returns text such as `not "GBP"`.
pub(crate) fn not(value: &Value) -> String {
    format!("not {value}")
}

/// Returns text such as `not one of ["GBP", "CHF"]`.
pub(crate) fn not_one_of(values: &[Value]) -> String {
    format!("not {}", one_of(values))
}

/// Returns text such as `one of ["GBP", "CHF"]`.
pub(crate) fn one_of(values: &[Value]) -> String {
    format!("one of {}", list(values))
}

/// Returns text such as `none of ["GBP", "CHF"]`.
pub(crate) fn none_of(values: &[Value]) -> String {
    format!("none of {}", list(values))
}

fn list(values: &[Value]) -> String {
    let values: Vec<_> = values.iter().map(Value::to_canonical).collect();
    format!("[{}]", values.join(", "))
}

/// Returns a value as JSON, truncated if it is long.
pub(crate) fn display(value: &Value) -> String {
    let mut text = value.to_canonical();
    if let Some((cut, _)) = text.char_indices().nth(VALUE_CHARS_MAX) {
        text.truncate(cut);
        text.push('…');
    }
    text
}
