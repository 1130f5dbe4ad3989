//! Fields, equality, and gates.

use contract::json::{Object, Value};
use regex::{Regex, escape};

fn member<'c>(fields: &'c Object, name: &str) -> Option<&'c Value> {
    if let Some(value) = fields.get(name) {
        return Some(value);
    }
    let mut steps = name.split('.');
    let mut at = fields.get(steps.next()?)?;
    for step in steps {
        at = match at {
            Value::Object(members) => members.get(step)?,
            Value::Array(elements) => {
                let place = (0..elements.len()).find(|index| index.to_string() == step)?;
                &elements[place]
            }
            _ => return None,
        };
    }
    Some(at)
}

pub(super) fn present<'c>(fields: &'c Object, name: &str) -> Option<&'c Value> {
    member(fields, name).filter(|value| match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    })
}

/// Equal under simple case folding: what a case-insensitive literal pattern matches.
fn same_folded(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    Regex::new(&format!(r"(?i)\A(?:{})\z", escape(a))).unwrap().is_match(b)
}

pub(super) fn same(a: &Value, b: &Value, case_sensitive: bool) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) if !case_sensitive => same_folded(a, b),
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        _ => false,
    }
}

pub(super) fn json_list(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("[{}]", shown.join(", "))
}

/// `Err` says why a gate does not match.
pub(super) fn refusal(when: &Value, fields: &Object) -> Result<(), String> {
    if let Some(members) = when.get("all") {
        return members.as_array().unwrap().iter().try_for_each(|member| refusal(member, fields));
    }
    if let Some(members) = when.get("any") {
        let mut reasons = Vec::new();
        for member in members.as_array().unwrap() {
            match refusal(member, fields) {
                Ok(()) => return Ok(()),
                Err(reason) => reasons.push(reason),
            }
        }
        return Err(reasons.join("; "));
    }
    let field = when.get("field").unwrap().as_str().unwrap();
    let actual = member(fields, field);
    if let Some(exists) = when.get("exists") {
        return match (exists.as_bool().unwrap(), actual) {
            (true, None) => Err(format!("{field} is missing")),
            (false, Some(_)) => Err(format!("{field} is present")),
            _ => Ok(()),
        };
    }
    let Some(actual) = actual else { return Err(format!("{field} is missing")) };
    let case_sensitive = when.get("case_sensitive").is_none_or(|v| v.as_bool().unwrap());
    if let Some(expected) = when.get("equals") {
        if same(actual, expected, case_sensitive) {
            return Ok(());
        }
        return Err(format!("{field} is {actual}, not {expected}"));
    }
    let list = when.get("in").unwrap().as_array().unwrap();
    if list.iter().any(|expected| same(actual, expected, case_sensitive)) {
        return Ok(());
    }
    Err(format!("{field} is {actual}, not one of {}", json_list(list)))
}
