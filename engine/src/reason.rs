//! Sentences for people: why a gate did not match, and values as they stand in violations.

use contract::json::Value;

/// How much of a value the sentence of a violation shows; `actual_value` has all of it.
const SHOWN_CHARS: usize = 100;

/// Why `equals`, `in` or `exists: true` fails on an absent field.
pub(crate) fn is_missing(field: &str) -> String {
    format!("{field} is missing")
}

/// Why `exists: false` fails.
pub(crate) fn is_present(field: &str) -> String {
    format!("{field} is present")
}

/// Why `equals` or `in` fails; `expected` is made by [`not`] or [`not_one_of`].
pub(crate) fn differs(field: &str, actual: &Value, expected: &str) -> String {
    let mut text = String::with_capacity(64);
    text.push_str(field);
    text.push_str(" is ");
    actual.write_canonical(&mut text);
    text.push_str(", ");
    text.push_str(expected);
    text
}

/// `not "GBP"`
pub(crate) fn not(value: &Value) -> String {
    format!("not {value}")
}

/// `not one of ["GBP", "CHF"]`
pub(crate) fn not_one_of(values: &[Value]) -> String {
    format!("not {}", one_of(values))
}

/// `one of ["GBP", "CHF"]`
pub(crate) fn one_of(values: &[Value]) -> String {
    format!("one of {}", list(values))
}

/// `none of ["GBP", "CHF"]`
pub(crate) fn none_of(values: &[Value]) -> String {
    format!("none of {}", list(values))
}

fn list(values: &[Value]) -> String {
    let values: Vec<_> = values.iter().map(Value::to_canonical).collect();
    format!("[{}]", values.join(", "))
}

/// A value as JSON, cut short when it is long.
pub(crate) fn shown(value: &Value) -> String {
    let mut text = value.to_canonical();
    if let Some((cut, _)) = text.char_indices().nth(SHOWN_CHARS) {
        text.truncate(cut);
        text.push('…');
    }
    text
}
