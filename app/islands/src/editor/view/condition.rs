//! Conversion between conditions and form fields, based on the table of rule types.

use super::scalar::{self, field_error};
pub use crate::text::TICKED;
use crate::{
    prelude::*,
    text::{
        lines,
        rule::{DATE_CHECKS, DATE_TESTS, Input, Part},
    },
};

/// The fields of one rule type, by name.
pub type Fields = BTreeMap<String, String>;

/// The number of empty rows after the filled rows.
const SPARE_ROWS: usize = 2;

fn put(fields: &mut Fields, name: &str, text: impl Into<String>) {
    fields.insert(name.to_owned(), text.into());
}

fn field_text<'f>(fields: &'f Fields, name: &str) -> &'f str {
    fields.get(name).map_or("", String::as_str)
}

/// Returns the name of a field that is set if the condition contains the member although its value is the
/// default.
fn explicit_flag(name: &str) -> String {
    format!("{name}_stated")
}

/// Returns the number of rows for minimum lengths in the form.
pub fn length_rows(fields: &Fields) -> usize {
    let is_row =
        |name: &str| name.strip_prefix("field").is_some_and(|row| row.parse::<u16>().is_ok());
    fields.keys().filter(|name| is_row(name)).count() + SPARE_ROWS
}

/// Writes the fields of one part of `condition` to `fields`.
pub(super) fn show(part: &Part, condition: &Value, fields: &mut Fields) {
    let member = condition.get(part.name);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match part.input {
        Input::Name | Input::Choice(_) => {
            put(fields, part.name, member.map(text).unwrap_or_default());
        }
        Input::Number => {
            put(fields, part.name, member.map(Value::to_canonical).unwrap_or_default());
        }
        Input::Names => {
            let names = member.and_then(Value::as_array).unwrap_or_default();
            let names: Vec<_> = names.iter().filter_map(Value::as_str).collect();
            put(fields, part.name, names.join("\n"));
        }
        Input::Checkbox(default) => {
            let explicit = member.and_then(Value::as_bool);
            if explicit.unwrap_or(default) {
                put(fields, part.name, TICKED);
            }
            if explicit == Some(default) {
                put(fields, &explicit_flag(part.name), TICKED);
            }
        }
        Input::Text(members) => {
            if let Some((name, value)) = present(condition, members) {
                put(fields, "which", name);
                put(fields, "text", text(value));
            }
        }
        Input::Values(members) => {
            if let Some((name, value)) = present(condition, members) {
                let values = value.as_array().unwrap_or_default();
                let kind = scalar::kind(values, true);
                let lines: Vec<_> =
                    values.iter().map(|value| scalar::to_input(value, kind)).collect();
                put(fields, "which", name);
                put(fields, "kind", kind);
                put(fields, "lines", lines.join("\n"));
            }
        }
        Input::Date => show_date(condition, fields),
        Input::Against => show_against(condition, fields),
        Input::Lengths => {
            let lengths = member.and_then(Value::as_object).into_iter().flat_map(Object::iter);
            for (row, (field, length)) in lengths.enumerate() {
                put(fields, &format!("field{row}"), field);
                put(fields, &format!("least{row}"), length.to_canonical());
            }
        }
    }
}

/// Returns the first of `members` that the condition contains.
fn present<'v>(
    condition: &'v Value,
    members: &[(&'static str, &'static str)],
) -> Option<(&'static str, &'v Value)> {
    members.iter().find_map(|(name, _)| condition.get(name).map(|value| (*name, value)))
}

fn show_date(condition: &Value, fields: &mut Fields) {
    if let Some(check) = condition.get("check").and_then(Value::as_str) {
        return put(fields, "test", check);
    }
    if let Some((name, limit)) = present(condition, &DATE_TESTS) {
        put(fields, "test", name);
        put(fields, "limit", limit.as_str().map_or_else(|| limit.to_canonical(), str::to_owned));
    }
}

fn show_against(condition: &Value, fields: &mut Fields) {
    if let Some(value) = condition.get("right_value") {
        let kind = scalar::kind(std::slice::from_ref(value), false);
        put(fields, "against", kind);
        let name = if kind == "truth" { "truth" } else { "right" };
        put(fields, name, scalar::to_input(value, kind));
    } else if let Some(name) = condition.get("right").and_then(Value::as_str) {
        put(fields, "against", FIELD);
        put(fields, "right", name);
    }
}

/// The value of `against` for a comparison with another field.
pub const FIELD: &str = "field";

/// Returns the path of a member of the condition, within its rule.
fn path(member: &str) -> String {
    format!("/condition/{member}")
}

/// Writes the input for `part` to `condition`. Input that cannot be converted is written as text and reported
/// as an error.
pub(super) fn write(
    part: &Part,
    fields: &Fields,
    condition: &mut Object,
    errors: &mut Vec<FieldError>,
) {
    let text = field_text(fields, part.name).trim();
    match part.input {
        Input::Name | Input::Choice(_) if !text.is_empty() => {
            condition.insert(part.name, text);
        }
        Input::Number if !text.is_empty() => {
            let number = scalar::read(text, "number", &path(part.name), errors);
            condition.insert(part.name, number);
        }
        Input::Names => {
            let names: Vec<_> = lines(text).map(Value::from).collect();
            if !names.is_empty() {
                condition.insert(part.name, names);
            }
        }
        Input::Checkbox(default) => {
            let on = fields.contains_key(part.name);
            if on != default || fields.contains_key(&explicit_flag(part.name)) {
                condition.insert(part.name, on);
            }
        }
        Input::Text(members) => {
            let text = field_text(fields, "text");
            if let Some(member) = chosen(fields, "which", members).filter(|_| !text.is_empty()) {
                condition.insert(member, text);
            }
        }
        Input::Values(members) => write_values(fields, members, condition, errors),
        Input::Date => write_date(fields, condition, errors),
        Input::Against => write_against(fields, condition, errors),
        Input::Lengths => write_lengths(part.name, fields, condition, errors),
        Input::Name | Input::Choice(_) | Input::Number => {}
    }
}

/// Returns the selected choice; without a valid selection, the first choice.
fn chosen(
    fields: &Fields,
    name: &str,
    choices: &[(&'static str, &'static str)],
) -> Option<&'static str> {
    let chosen = field_text(fields, name);
    let choice = choices.iter().find(|(choice, _)| *choice == chosen);
    choice.or(choices.first()).map(|(choice, _)| *choice)
}

fn write_values(
    fields: &Fields,
    members: &[(&'static str, &'static str)],
    condition: &mut Object,
    errors: &mut Vec<FieldError>,
) {
    let Some(member) = chosen(fields, "which", members) else { return };
    let kind = chosen(fields, "kind", &scalar::KINDS).unwrap_or_default();
    let value_path = path(member);
    let read = |line| scalar::read(line, kind, &value_path, errors);
    let values: Vec<_> = scalar::lines(field_text(fields, "lines")).map(read).collect();
    if !values.is_empty() {
        condition.insert(member, values);
    }
}

fn write_date(fields: &Fields, condition: &mut Object, errors: &mut Vec<FieldError>) {
    let Some(test) = chosen(fields, "test", &DATE_TESTS) else { return };
    let limit = field_text(fields, "limit").trim();
    if DATE_CHECKS.contains(&test) {
        condition.insert("check", test);
    } else if test == "max_age_days" {
        condition.insert(test, scalar::read(limit, "number", &path(test), errors));
    } else {
        condition.insert(test, limit);
    }
}

fn write_against(fields: &Fields, condition: &mut Object, errors: &mut Vec<FieldError>) {
    let (against, right) = (field_text(fields, "against"), field_text(fields, "right"));
    if against.is_empty() || against == FIELD {
        if !right.trim().is_empty() {
            condition.insert("right", right.trim());
        }
        return;
    }
    let kind = chosen(fields, "against", &scalar::KINDS).unwrap_or_default();
    let right = if kind == "truth" { field_text(fields, "truth") } else { right };
    condition.insert("right_value", scalar::read(right, kind, &path("right_value"), errors));
}

fn write_lengths(
    name: &str,
    fields: &Fields,
    condition: &mut Object,
    errors: &mut Vec<FieldError>,
) {
    let mut lengths = Object::new();
    for row in 0..length_rows(fields) {
        let field = field_text(fields, &format!("field{row}")).trim();
        let min = field_text(fields, &format!("least{row}")).trim();
        if field.is_empty() && min.is_empty() {
            continue;
        }
        let length_path = format!("{}/{}", path(name), field.replace('~', "~0").replace('/', "~1"));
        let number = scalar::read(min, "number", &length_path, errors);
        if lengths.insert(field, number).is_some() {
            errors.push(field_error(&path(name), "duplicate", &format!("`{field}` occurs twice")));
        }
    }
    if !lengths.is_empty() {
        condition.insert(name, lengths);
    }
}

/// Returns the members of the condition that `part` can produce. Errors at these members belong to it.
pub fn members(part: &Part) -> Vec<&'static str> {
    match part.input {
        Input::Text(members) | Input::Values(members) => {
            members.iter().map(|(name, _)| *name).collect()
        }
        Input::Date => {
            let tests = DATE_TESTS.iter().map(|(name, _)| *name);
            tests.filter(|name| !DATE_CHECKS.contains(name)).chain(["check"]).collect()
        }
        Input::Against => vec!["right", "right_value"],
        _ => vec![part.name],
    }
}
