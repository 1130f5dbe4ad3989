//! Readers of single values and of lists.

use std::{cell::RefCell, fmt, ops::RangeInclusive, str::FromStr};

use super::{FieldErrors, FromJson, JsonPath, Reader, schema};
use crate::{
    json::{Number, Object, Value},
    string_enum::StringEnum,
    text::{is_line_breaking, normalized_password},
    time::Timestamp,
};

impl FieldErrors {
    /// Returns what `read` returns, and adds the error if that is nothing. In describing mode, stores the schema instead.
    pub fn accept<T, M: Into<String>>(
        &mut self,
        at: &JsonPath<'_>,
        schema: impl FnOnce() -> Object,
        read: impl FnOnce() -> Option<T>,
        error: impl FnOnce() -> (&'static str, M),
    ) -> Option<T> {
        if self.describes(schema) {
            return None;
        }
        let value = read();
        if value.is_none() {
            let (code, message) = error();
            self.push(at, code, message);
        }
        value
    }
}

/// Returns a reader of strings of `min` to `max` Unicode scalar values. If `min` is positive, a string of
/// white space is too short.
pub fn text(min: usize, max: usize) -> impl Reader<String> + Copy {
    move |value, at, errors| {
        text_of_length(value, at, errors, min..=max, |text| text.chars().count())
    }
}

/// Returns a reader of passwords of `min` to `max` Unicode scalar values after [`normalized_password`]. It returns the
/// password as it was sent.
pub fn password(min: usize, max: usize) -> impl Reader<String> + Copy {
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
        return Some(code);
    }
    let message =
        "must start with a letter or digit and contain only letters, digits, `.`, `_` and `-`";
    errors.push(at, "format", message);
    None
}

/// Returns whether `text` matches the pattern of codes. Does not check the length.
pub fn is_code(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

impl FromJson for bool {
    /// Reads a boolean.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let error = || ("type", "must be true or false");
        errors.accept(at, schema::boolean, || value.as_bool(), error)
    }
}

/// Returns a reader of integers within `min..=max`.
pub fn integer(min: u32, max: u32) -> impl Reader<u32> + Copy {
    move |value, at, errors| {
        let schema = || schema::integer(min.into(), max.into());
        let read = || {
            let number = value.as_f64().filter(|number| number.fract() == 0.0);
            let number = number.filter(|n| *n >= f64::from(min) && *n <= f64::from(max))?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "within u32"
            )]
            Some(number as u32)
        };
        let error = || ("range", format!("must be a whole number from {min} to {max}"));
        errors.accept(at, schema, read, error)
    }
}

/// Reads an integer of at least 1.
pub(crate) fn positive_integer(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<i64> {
    let schema = || schema::integer(1.into(), Number::new(Number::MAX).unwrap_or_default());
    let read = || match value {
        Value::Number(number) => number.as_i64().filter(|integer| *integer >= 1),
        _ => None,
    };
    errors.accept(at, schema, read, || ("range", "must be a whole number of at least 1"))
}

impl<T: StringEnum> FromJson for T {
    /// Reads the wire name of a value.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let schema = || schema::string_enum(Self::NAMES.iter().copied());
        let error = || ("enum", format!("must be one of {}", Self::NAMES.join(", ")));
        errors.accept(at, schema, || value.as_str().and_then(Self::from_name), error)
    }
}

/// Reads an ID in its hyphenated form.
pub(crate) fn id<T: FromStr>(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<T> {
    parsed(value, at, errors, "uuid", "must be a UUID")
}

impl FromJson for Timestamp {
    /// Reads an RFC 3339 timestamp.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let message = "must be an RFC 3339 date-time with an offset";
        parsed(value, at, errors, "date-time", message)
    }
}

/// Reads a string in a format.
fn parsed<T: FromStr>(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
    format: &str,
    message: &str,
) -> Option<T> {
    let read = || value.as_str()?.parse().ok();
    errors.accept(at, || schema::string_format(format), read, || ("format", message))
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
    let read = || value.as_array().is_some().then(|| value.clone());
    errors.accept(at, Object::new, read, || ("type", "must be an array"))
}

impl FromJson for Number {
    /// Reads a number.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let read = || if let Value::Number(number) = value { Some(*number) } else { None };
        errors.accept(at, schema::number, read, || ("type", "must be a number"))
    }
}

/// Reads a string, a number or a boolean.
pub fn scalar(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Value> {
    let is_scalar = matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_));
    let error = || ("type", "must be a string, a number or a boolean");
    errors.accept(at, || schema::scalar(0), || is_scalar.then(|| value.clone()), error)
}

/// Returns a reader of lists of at most `max` elements, each read by `read`.
pub fn list<T>(max: usize, read: impl Reader<T>) -> impl Reader<Vec<T>> {
    move |value, at, errors| {
        if errors.is_describing() {
            let items = errors.schema_of(|errors| drop(read(&Value::Null, at, errors)));
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
pub fn filled_list<T>(max: usize, read: impl Reader<T>) -> impl Reader<Vec<T>> {
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
    read: impl Reader<T>,
) -> impl Reader<Vec<T>> {
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
