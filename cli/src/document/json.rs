//! JSON files.

mod merge;

use contract::json::{Limits, Value, write_string};

pub(super) use self::merge::update;
use super::order;

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Value, String> {
    Value::parse(text.as_bytes(), limits).map_err(|error| {
        let line = text.bytes().take(error.offset).filter(|byte| *byte == b'\n').count() + 1;
        format!("line {line}: {}", error.code.reason())
    })
}

pub(super) fn render(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out.push('\n');
    out
}

fn write(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                new_line(index, depth + 1, out);
                write(element, depth + 1, out);
            }
            end_line(depth, out);
            out.push(']');
        }
        Value::Object(object) if !object.is_empty() => {
            out.push('{');
            for (index, (name, member)) in order::members(object).into_iter().enumerate() {
                new_line(index, depth + 1, out);
                write_string(name, out);
                out.push_str(": ");
                write(member, depth + 1, out);
            }
            end_line(depth, out);
            out.push('}');
        }
        scalar => scalar.write_canonical(out),
    }
}

fn new_line(index: usize, depth: usize, out: &mut String) {
    if index > 0 {
        out.push(',');
    }
    end_line(depth, out);
}

fn end_line(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}
