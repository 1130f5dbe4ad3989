//! The canonical JSON writer (RFC 8785): no white space, sorted members, one form per value.

use super::{Object, Value, ascii_scan::ascii_run_len};

/// Appends the canonical text of `value`.
pub(super) fn value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(value) => number(value.get(), out),
        Value::String(text) => string(text, out),
        Value::Array(elements) => array(elements, out),
        Value::Object(members) => object(members, out),
    }
}

/// Appends a finite double as ECMAScript's `Number::toString` prints it.
pub fn number(value: f64, out: &mut String) {
    out.push_str(ryu_js::Buffer::new().format(value));
}

fn array(elements: &[Value], out: &mut String) {
    out.push('[');
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        value(element, out);
    }
    out.push(']');
}

fn object(members: &Object, out: &mut String) {
    out.push('{');
    for (index, (name, member)) in members.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(name, out);
        out.push(':');
        value(member, out);
    }
    out.push('}');
}

/// Appends `text` as a JSON string. Only `"`, `\` and U+0000 to U+001F are escaped.
pub fn string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some((plain, tail)) = next_escape(rest).and_then(|index| rest.split_at_checked(index))
    {
        let mut tail = tail.chars();
        out.push_str(plain);
        tail.next().into_iter().for_each(|character| escape(character, out));
        rest = tail.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

fn next_escape(text: &str) -> Option<usize> {
    let mut index = 0;
    loop {
        index += ascii_run_len(text.as_bytes().get(index..)?);
        if matches!(text.as_bytes().get(index)?, b'"' | b'\\' | 0..0x20) {
            return Some(index);
        }
        index += 1;
    }
}

fn escape(character: char, out: &mut String) {
    match character {
        '\x08' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\x0c' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        '"' | '\\' => out.extend(['\\', character]),
        control => {
            let digit = |shift: u32| char::from_digit(u32::from(control) >> shift & 0xF, 16);
            out.push_str("\\u00");
            out.extend([digit(4), digit(0)].into_iter().flatten());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Number;

    #[test]
    fn strings_escape_only_quotes_backslashes_and_controls() {
        let mut out = String::new();
        string("\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f} \"\\/\u{7f}\u{2028}é😀", &mut out);
        let expected = r#""\u0000\b\t\n\u000b\f\r\u001f \"\\/"#;
        assert_eq!(out, format!("{expected}\u{7f}\u{2028}é😀\""));
    }

    #[test]
    fn values_are_written_in_canonical_form() {
        let members = Object::from([
            ("b", Value::Array(vec![Value::Null, true.into(), false.into()])),
            ("a", Number::new(4.50).map_or(Value::Null, Value::from)),
            ("c", Object::new().into()),
        ]);
        assert_eq!(
            Value::from(members).to_canonical(),
            r#"{"a":4.5,"b":[null,true,false],"c":{}}"#
        );
    }
}
