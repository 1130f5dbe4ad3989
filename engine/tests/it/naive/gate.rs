//! Naive field access, equality and gates.

use contract::json::{Object, Value};
use regex::{Regex, escape};

/// Splits a name at its dots, and before brackets with quotes, which contain a JSON string.
fn steps(name: &str) -> Vec<String> {
    let mut steps = Vec::new();
    let mut rest = name;
    loop {
        if let Some(quoted) = rest.strip_prefix('[').filter(|quoted| quoted.starts_with('"')) {
            let mut strings = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
            steps.push(strings.next().unwrap().unwrap());
            rest = &quoted[strings.byte_offset() + "]".len()..];
        } else {
            let end = rest.find('.').unwrap_or(rest.len());
            let end = end.min(rest.find("[\"").unwrap_or(rest.len()));
            steps.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
        match rest.strip_prefix('.') {
            Some(tail) => rest = tail,
            None if rest.is_empty() => return steps,
            None => {}
        }
    }
}

fn member<'c>(fields: &'c Object, name: &str) -> Option<&'c Value> {
    if let Some(value) = fields.get(name) {
        return Some(value);
    }
    let mut steps = steps(name).into_iter();
    let mut value = fields.get(&steps.next()?)?;
    for step in steps {
        value = match value {
            Value::Object(members) => members.get(&step)?,
            Value::Array(elements) => {
                let position = (0..elements.len()).find(|index| index.to_string() == step)?;
                &elements[position]
            }
            _ => return None,
        };
    }
    Some(value)
}

pub(super) fn present_value<'c>(fields: &'c Object, name: &str) -> Option<&'c Value> {
    member(fields, name).filter(|value| match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    })
}

/// Returns whether two strings are equal under simple case folding, using a case-insensitive literal pattern.
fn same_folded(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    Regex::new(&format!(r"(?i)\A(?:{})\z", escape(a))).unwrap().is_match(b)
}

pub(super) fn scalars_equal(a: &Value, b: &Value, case_sensitive: bool) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) if !case_sensitive => same_folded(a, b),
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        _ => false,
    }
}

pub(super) fn json_list(values: &[Value]) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("[{}]", texts.join(", "))
}

/// Checks a gate. Returns an error with the reason if it does not match.
pub(super) fn check_gate(when: &Value, fields: &Object) -> Result<(), String> {
    if let Some(members) = when.get("all") {
        return members
            .as_array()
            .unwrap()
            .iter()
            .try_for_each(|member| check_gate(member, fields));
    }
    if let Some(members) = when.get("any") {
        let mut reasons = Vec::new();
        for member in members.as_array().unwrap() {
            match check_gate(member, fields) {
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
        if scalars_equal(actual, expected, case_sensitive) {
            return Ok(());
        }
        return Err(format!("{field} is {actual}, not {expected}"));
    }
    let list = when.get("in").unwrap().as_array().unwrap();
    if list.iter().any(|expected| scalars_equal(actual, expected, case_sensitive)) {
        return Ok(());
    }
    Err(format!("{field} is {actual}, not one of {}", json_list(list)))
}
