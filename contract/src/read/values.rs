//! Readers of single values and of lists.

use std::{cell::RefCell, fmt, ops::RangeInclusive};

use super::{FieldErrors, FromJson, JsonPath, schema};
use crate::{
    json::{Number, Object, Value},
    string_enum::StringEnum,
    text::{is_line_breaking, normalized_password},
    time::Timestamp,
};

/// Returns a reader of strings of `min` to `max` Unicode scalar values. If `min` is positive, a string of
/// white space is too short.
pub fn text(
    min: usize,
    max: usize,
) -> impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<String> + Copy {
    move |value, at, errors| {
        text_of_length(value, at, errors, min..=max, |text| text.chars().count())
    }
}

/// Returns a reader of passwords of `min` to `max` Unicode scalar values after [`normalized_password`]. It returns the
/// password as it was sent.
pub fn password(
    min: usize,
    max: usize,
) -> impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<String> + Copy {
    move |value, at, errors| {
        text_of_length(value, at, errors, min..=max, |text| {
            normalized_password(text).chars().count()
        })
    }
}

/// Reads a string whose length, as `count` returns it, is in `range`.
fn text_of_length(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
    range: RangeInclusive<usize>,
    count: impl Fn(&str) -> usize,
) -> Option<String> {
    let (min, max) = range.into_inner();
    if errors.describes(|| schema::text(min, max)) {
        return None;
    }
    let Some(text) = value.as_str() else {
        errors.push(at, "type", "must be a string");
        return None;
    };
    let length = count(text);
    if length < min || (min > 0 && text.trim().is_empty()) {
        let message = if min == 1 {
            "must not be empty".to_owned()
        } else {
            format!("must have at least {min} characters")
        };
        errors.push(at, "too_short", message);
        return None;
    }
    if length > max {
        errors.push(at, "too_long", format!("must have at most {max} characters"));
        return None;
    }
    Some(text.to_owned())
}

/// Reads a name: 1 to 200 characters.
pub fn name(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    text(1, 200)(value, at, errors)
}

/// Reads the name of a person: 1 to 200 characters in one line, which do not change the direction of the text after it.
pub fn line(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    if errors.describes(|| schema::line(200)) {
        return None;
    }
    let line = name(value, at, errors)?;
    if line.contains(is_line_breaking) {
        errors.push(
            at,
            "format",
            "must be one line without control characters and without characters that change the direction of text",
        );
        return None;
    }
    Some(line)
}

/// Reads a long text: up to 65,536 characters.
pub fn long_text(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    text(0, 65_536)(value, at, errors)
}

/// Reads a reason: 1 to 500 characters.
pub fn reason(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    text(1, 500)(value, at, errors)
}

/// The maximum length of a code in characters (contract, section 1).
pub const CODE_MAX: usize = 100;

/// Reads a code: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`.
pub fn code(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    if errors.describes(|| schema::text(1, CODE_MAX)) {
        errors.amend(|schema| drop(schema.insert("pattern", schema::CODE)));
        return None;
    }
    let code = text(1, CODE_MAX)(value, at, errors)?;
    if is_code(&code) {
        Some(code)
    } else {
        errors.push(
            at,
            "format",
            "must start with a letter or digit and contain only letters, digits, `.`, `_` and `-`",
        );
        None
    }
}

/// Returns whether `text` matches the pattern of codes. Does not check the length.
pub fn is_code(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

impl FromJson for bool {
    /// Reads a boolean.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        if errors.describes(schema::boolean) {
            return None;
        }
        let boolean = value.as_bool();
        if boolean.is_none() {
            errors.push(at, "type", "must be true or false");
        }
        boolean
    }
}

/// Returns a reader of integers within `min..=max`.
pub fn integer(
    min: u32,
    max: u32,
) -> impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<u32> + Copy {
    move |value, at, errors| {
        if errors.describes(|| schema::integer(min.into(), max.into())) {
            return None;
        }
        let number = value.as_f64().filter(|number| number.fract() == 0.0);
        let integer_value = number.filter(|n| *n >= f64::from(min) && *n <= f64::from(max));
        if integer_value.is_none() {
            errors.push(at, "range", format!("must be a whole number from {min} to {max}"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within u32")]
        integer_value.map(|number| number as u32)
    }
}

/// Reads an integer of at least 1.
pub(crate) fn positive_integer(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<i64> {
    if errors.describes(|| schema::integer(1.into(), Number::new(Number::MAX).unwrap_or_default()))
    {
        return None;
    }
    let integer = match value {
        Value::Number(number) => number.as_i64().filter(|integer| *integer >= 1),
        _ => None,
    };
    if integer.is_none() {
        errors.push(at, "range", "must be a whole number of at least 1");
    }
    integer
}

impl<T: StringEnum> FromJson for T {
    /// Reads the wire name of a value.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        if errors.describes(|| schema::string_enum(Self::NAMES.iter().copied())) {
            return None;
        }
        let read = value.as_str().and_then(Self::from_name);
        if read.is_none() {
            errors.push(at, "enum", format!("must be one of {}", Self::NAMES.join(", ")));
        }
        read
    }
}

/// Reads an ID in its hyphenated form.
pub(crate) fn id<T: std::str::FromStr>(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<T> {
    if errors.describes(|| schema::string_format("uuid")) {
        return None;
    }
    let read = value.as_str().and_then(|text| text.parse().ok());
    if read.is_none() {
        errors.push(at, "format", "must be a UUID");
    }
    read
}

impl FromJson for Timestamp {
    /// Reads an RFC 3339 timestamp.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        if errors.describes(|| schema::string_format("date-time")) {
            return None;
        }
        let read = value.as_str().and_then(|text| text.parse().ok());
        if read.is_none() {
            errors.push(at, "format", "must be an RFC 3339 date-time with an offset");
        }
        read
    }
}

impl FromJson for Object {
    /// Reads any object unchanged.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        if schema::map(errors) {
            return None;
        }
        let members = value.as_object();
        if members.is_none() {
            errors.push(at, "type", "must be an object");
        }
        members.cloned()
    }
}

/// Reads any value unchanged.
pub fn any(value: &Value, _: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Value> {
    if schema::any(errors) { None } else { Some(value.clone()) }
}

/// Reads a list without reading its elements.
pub fn array(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Value> {
    if errors.describes(Object::new) {
        return None;
    }
    if value.as_array().is_none() {
        errors.push(at, "type", "must be an array");
        return None;
    }
    Some(value.clone())
}

impl FromJson for Number {
    /// Reads a number.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        if errors.describes(schema::number) {
            return None;
        }
        if let Value::Number(number) = value {
            return Some(*number);
        }
        errors.push(at, "type", "must be a number");
        None
    }
}

/// Reads a string, a number or a boolean.
pub fn scalar(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Value> {
    if errors.describes(|| schema::scalar(0)) {
        return None;
    }
    if matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
        return Some(value.clone());
    }
    errors.push(at, "type", "must be a string, a number or a boolean");
    None
}

/// Returns a reader of lists of at most `max` elements, each read by `read`.
pub fn list<T>(
    max: usize,
    read: impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<T>,
) -> impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<Vec<T>> {
    move |value, at, errors| {
        if errors.is_describing() {
            let items = errors.schema_of(|errors| {
                read(&Value::Null, at, errors);
            });
            errors.describes(|| schema::list(items, 0, max));
            return None;
        }
        let Some(elements) = value.as_array() else {
            errors.push(at, "type", "must be an array");
            return None;
        };
        if elements.len() > max {
            errors.push(at, "too_many", format!("must have at most {max} elements"));
            return None;
        }
        let read: Vec<Option<T>> = elements
            .iter()
            .enumerate()
            .map(|(index, element)| read(element, &at.index(index), errors))
            .collect();
        read.into_iter().collect()
    }
}

/// Returns a reader of lists of 1 to `max` elements, each read by `read`.
pub fn filled_list<T>(
    max: usize,
    read: impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<T>,
) -> impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<Vec<T>> {
    move |value, at, errors| {
        let elements = list(max, &read)(value, at, errors);
        errors.amend(|schema| drop(schema.insert("minItems", 1)));
        let elements = elements?;
        if elements.is_empty() {
            errors.push(at, "too_few", "must have at least one element");
            return None;
        }
        Some(elements)
    }
}

/// Returns a reader of lists of 1 to `max` elements without duplicates, each read by `read`.
pub fn unique_list<T: PartialEq + fmt::Display>(
    max: usize,
    read: impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<T>,
) -> impl Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<Vec<T>> {
    move |value, at, errors| {
        let distinct = RefCell::new(Vec::new());
        let read = |value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors| {
            let element = read(value, at, errors)?;
            let mut distinct = distinct.borrow_mut();
            if distinct.contains(&element) {
                errors.push(at, "duplicate", format!("`{element}` is already in this list"));
                return None;
            }
            distinct.push(element);
            Some(())
        };
        let elements = filled_list(max, read)(value, at, errors);
        errors.amend(|schema| drop(schema.insert("uniqueItems", true)));
        elements.map(|_| distinct.into_inner())
    }
}
