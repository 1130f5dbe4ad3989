//! Readers of members that several rule types and gates have.

use std::collections::BTreeSet;

use contract::{
    json::Value,
    read::{self, At, Errors},
};

use crate::field::{Field, Names};

/// How many names one list may hold.
const NAMES_MAX: usize = 1_000;
/// How many values one list may hold.
const SCALARS_MAX: usize = 10_000;

/// A field name: 1 to 200 characters.
pub(crate) fn field(
    names: &mut Names,
) -> impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<Field> {
    |value, at, errors| Some(names.field(&read::name(value, at, errors)?))
}

/// A list of `min` to `max` different field names.
pub(crate) fn fields(
    names: &mut Names,
    min: u32,
    max: usize,
) -> impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<Vec<Field>> {
    move |value, at, errors| {
        let list = different_names(min, max)(value, at, errors)?;
        Some(list.iter().map(|name| names.field(name)).collect())
    }
}

/// A list of different field names, which may be empty.
pub(crate) fn fields_if_any(
    names: &mut Names,
) -> impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<Vec<Field>> {
    fields(names, 0, NAMES_MAX)
}

/// A list of different names, at least one.
pub(crate) fn names_of_kinds(
    value: &Value,
    at: &At<'_>,
    errors: &mut Errors,
) -> Option<Vec<String>> {
    different_names(1, NAMES_MAX)(value, at, errors)
}

/// A list of `min` to `max` different names.
fn different_names(
    min: u32,
    max: usize,
) -> impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<Vec<String>> {
    move |value, at, errors| {
        let names = read::list(max, read::name)(value, at, errors);
        errors.amend(|schema| {
            schema.insert("uniqueItems", true);
            if min > 0 {
                schema.insert("minItems", min);
            }
        });
        let names = names?;
        if u32::try_from(names.len()).is_ok_and(|count| count < min) {
            let message = match min {
                1 => "must have at least one element".to_owned(),
                _ => format!("must have at least {min} elements"),
            };
            errors.push(at, "too_few", message);
            return None;
        }
        let mut seen = BTreeSet::new();
        for (index, name) in names.iter().enumerate() {
            if !seen.insert(name) {
                let message = format!("`{name}` is already in this list");
                errors.push(&at.index(index), "duplicate", message);
            }
        }
        (seen.len() == names.len()).then_some(names)
    }
}

/// A list of strings, numbers and booleans, at least one.
pub(crate) fn scalars(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<Value>> {
    read::filled_list(SCALARS_MAX, read::scalar)(value, at, errors)
}
