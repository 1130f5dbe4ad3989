//! Readers of members that several rule types and gates have.

use std::collections::BTreeSet;

use contract::{
    json::Value,
    read::{self, At, Errors, Members},
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

/// A list of different field names, at least one.
pub(crate) fn fields(
    names: &mut Names,
) -> impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<Vec<Field>> {
    |value, at, errors| {
        let list = different_names(value, at, errors)?;
        Some(list.iter().map(|name| names.field(name)).collect())
    }
}

/// A list of different names, at least one.
pub(crate) fn different_names(
    value: &Value,
    at: &At<'_>,
    errors: &mut Errors,
) -> Option<Vec<String>> {
    let names = at_least_one(read::list(NAMES_MAX, read::name)(value, at, errors)?, at, errors)?;
    let mut seen = BTreeSet::new();
    for (index, name) in names.iter().enumerate() {
        if !seen.insert(name) {
            errors.push(&at.index(index), "duplicate", format!("`{name}` is already in this list"));
        }
    }
    (seen.len() == names.len()).then_some(names)
}

/// A list of strings, numbers and booleans, at least one.
pub(crate) fn scalars(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<Value>> {
    at_least_one(read::list(SCALARS_MAX, scalar)(value, at, errors)?, at, errors)
}

/// A string, a number or a boolean.
pub(crate) fn scalar(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Value> {
    if matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
        return Some(value.clone());
    }
    errors.push(at, "type", "must be a string, a number or a boolean");
    None
}

/// Refuses an empty list.
fn at_least_one<T>(list: Vec<T>, at: &At<'_>, errors: &mut Errors) -> Option<Vec<T>> {
    if list.is_empty() {
        errors.push(at, "too_few", "must have at least one element");
        return None;
    }
    Some(list)
}

/// Requires at least one of `names`; when all are absent, the first is the one that is missing.
pub(crate) fn at_least_one_of(members: &mut Members<'_, '_>, names: &[&'static str]) -> Option<()> {
    if names.iter().any(|name| members.raw(name).is_some()) {
        return Some(());
    }
    let list: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    members.refuse(names.first()?, "required", format!("one of {} is required", list.join(", ")));
    None
}

/// Requires exactly one of `names`.
pub(crate) fn exactly_one_of(members: &mut Members<'_, '_>, names: &[&'static str]) -> Option<()> {
    at_least_one_of(members, names)?;
    let mut given = names.iter().filter(|name| members.raw(name).is_some());
    let (first, others) = (given.next()?, given.collect::<Vec<_>>());
    for other in &others {
        members.refuse(other, "conflict", format!("`{other}` and `{first}` exclude each other"));
    }
    others.is_empty().then_some(())
}
