//! Paths of fields: `order.lines.0.sku`, and `labels["app.kubernetes.io/name"].value` for names with dots.

use std::borrow::Cow;

use crate::json::{Limits, Value};

/// Returns the segments of a field name: the names of members, and the indexes of array elements as digits.
///
/// A dot separates two segments. A segment in brackets is a JSON string and can contain dots. Other brackets are
/// ordinary characters. A name without dots and brackets has one segment.
///
/// ```
/// use contract::field_path::segments;
///
/// assert_eq!(segments("lines.0.sku").unwrap(), ["lines", "0", "sku"]);
/// assert_eq!(segments(r#"labels["a.b"].value"#).unwrap(), ["labels", "a.b", "value"]);
/// ```
///
/// # Errors
/// Returns an error if `["` begins a segment that does not end as a JSON string with `"]`, or if anything except a
/// dot or a further bracket follows it.
pub fn segments(name: &str) -> Result<Vec<Cow<'_, str>>, ParseFieldPathError> {
    let mut segments = Vec::new();
    let mut rest = Some(name);
    while let Some(text) = rest {
        rest = if text.starts_with(QUOTED_START) {
            let (segment, tail) = quoted(text).ok_or(ParseFieldPathError)?;
            segments.push(Cow::Owned(segment));
            match tail.strip_prefix('.') {
                Some(tail) if tail.starts_with(QUOTED_START) => return Err(ParseFieldPathError),
                Some(tail) => Some(tail),
                None if tail.is_empty() => None,
                None if tail.starts_with(QUOTED_START) => Some(tail),
                None => return Err(ParseFieldPathError),
            }
        } else {
            let end = [text.find('.'), text.find(QUOTED_START)].into_iter().flatten().min();
            let (segment, tail) =
                end.and_then(|end| text.split_at_checked(end)).unwrap_or((text, ""));
            segments.push(Cow::Borrowed(segment));
            match tail.strip_prefix('.') {
                Some(tail) if tail.starts_with(QUOTED_START) => return Err(ParseFieldPathError),
                Some(tail) => Some(tail),
                None => Some(tail).filter(|tail| !tail.is_empty()),
            }
        };
    }
    Ok(segments)
}

const QUOTED_START: &str = "[\"";

/// The error for a name with a malformed segment in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(r#"a segment in brackets must be a JSON string, as in `labels["a.b"].value`"#)]
pub struct ParseFieldPathError;

/// Splits `["segment"]` from the start of `text`.
fn quoted(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('[')?;
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find_map(|(index, character)| {
        let ends = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        ends.then_some(index)
    })?;
    let (literal, tail) = text.split_at_checked(end.checked_add(1)?)?;
    match Value::parse(literal.as_bytes(), &Limits::REQUEST).ok()? {
        Value::String(segment) => Some((segment, tail.strip_prefix(']')?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_contain_json_strings() {
        let cases = [
            (r#"["a.b"].c"#, vec!["a.b", "c"]),
            (r#"a["b.c"]["d"]"#, vec!["a", "b.c", "d"]),
            (r#"a["q\"]\\"].b"#, vec!["a", "q\"]\\", "b"]),
            (r#"a["\u00e9"]"#, vec!["a", "é"]),
            ("a[0].b", vec!["a[0]", "b"]),
            ("a..b.", vec!["a", "", "b", ""]),
            ("a", vec!["a"]),
            ("", vec![""]),
        ];
        for (name, expected) in cases {
            assert_eq!(segments(name).unwrap(), expected, "{name}");
        }
    }

    #[test]
    fn malformed_brackets_are_errors() {
        for name in
            [r#"a["b"#, r#"a["b""#, r#"a["b"]c"#, r#"a.["b"]"#, r#"a["b"].["c"]"#, r#"a["\x"]"#]
        {
            assert_eq!(segments(name), Err(ParseFieldPathError), "{name}");
        }
    }
}
