//! Indented JSON for display, with members in canonical order.

use std::fmt::Write as _;

use contract::json::Value;

/// Formats `value` over several lines, indented by two spaces per level. Short arrays and objects stay on one
/// line.
pub fn indented(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out
}

/// The maximum length of an array or object on one line.
const LINE_MAX: usize = 60;

fn write(value: &Value, level: usize, out: &mut String) {
    let short = value.to_canonical();
    if short.len() <= LINE_MAX && level > 0 {
        out.push_str(&short);
        return;
    }
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            let lines = elements.iter().map(|element| (String::new(), element));
            block(['[', ']'], lines, level, out);
        }
        Value::Object(members) if !members.is_empty() => {
            let lines = members
                .iter()
                .map(|(name, member)| (format!("{}: ", Value::from(name).to_canonical()), member));
            block(['{', '}'], lines, level, out);
        }
        _ => out.push_str(&short),
    }
}

fn block<'a>(
    [open, close]: [char; 2],
    lines: impl Iterator<Item = (String, &'a Value)>,
    level: usize,
    out: &mut String,
) {
    out.push(open);
    for (index, (name, value)) in lines.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(out, "{comma}\n{:width$}{name}", "", width = (level + 1) * 2);
        write(value, level + 1, out);
    }
    let _ = write!(out, "\n{:width$}{close}", "", width = level * 2);
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    #[test]
    fn short_arrays_and_objects_stay_on_one_line() {
        let text = br#"{"b":[1,2],"a":{"x":"a text that is long enough to need a line of its own, surely"}}"#;
        let value = Value::parse(text, &Limits::REQUEST).unwrap();
        assert_eq!(
            indented(&value),
            "{\n  \"a\": {\n    \"x\": \"a text that is long enough to need a line of its own, \
             surely\"\n  },\n  \"b\": [1,2]\n}"
        );
    }
}
