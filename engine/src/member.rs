//! Readers of members that several rule types and gates share.

use std::collections::BTreeSet;

use contract::{
    field_path,
    json::Value,
    read::{self, FieldErrors, JsonPath},
};

use crate::field::{Field, SlotTable};

const NAMES_MAX: usize = 1_000;
const SCALARS_MAX: usize = 10_000;

/// Returns a reader of a field name: 1 to 200 characters, where brackets with quotes contain a JSON string.
pub(crate) fn field(
    names: &mut SlotTable,
) -> impl FnOnce(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<Field> {
    |value, at, errors| Some(names.field(&field_name(value, at, errors)?))
}

/// Reads the name of a field, whose segments in brackets must be well formed.
pub(crate) fn field_name(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<String> {
    let name = read::name(value, at, errors)?;
    match field_path::segments(&name) {
        Ok(_) => Some(name),
        Err(error) => {
            errors.push(at, "format", error.to_string());
            None
        }
    }
}

/// Returns a reader of lists of `min` to `max` distinct field names.
pub(crate) fn fields(
    names: &mut SlotTable,
    min: u32,
    max: usize,
) -> impl FnOnce(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<Vec<Field>> {
    move |value, at, errors| {
        let list = distinct_names(min, max, field_name)(value, at, errors)?;
        Some(list.iter().map(|name| names.field(name)).collect())
    }
}

/// Returns a reader of lists of distinct field names, which can be empty.
pub(crate) fn possibly_empty_fields(
    names: &mut SlotTable,
) -> impl FnOnce(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<Vec<Field>> {
    fields(names, 0, NAMES_MAX)
}

/// Reads a list of at least one name, without duplicates.
pub(crate) fn kind_names(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<Vec<String>> {
    distinct_names(1, NAMES_MAX, read::name)(value, at, errors)
}

/// Returns a reader of lists of `min` to `max` distinct names.
fn distinct_names(
    min: u32,
    max: usize,
    name: fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<String>,
) -> impl FnOnce(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<Vec<String>> {
    move |value, at, errors| {
        let names = read::list(max, name)(value, at, errors);
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
        let mut unique = BTreeSet::new();
        for (index, name) in names.iter().enumerate() {
            if !unique.insert(name) {
                let message = format!("`{name}` is already in this list");
                errors.push(&at.index(index), "duplicate", message);
            }
        }
        (unique.len() == names.len()).then_some(names)
    }
}

/// Reads a list of at least one string, number or boolean.
pub(crate) fn scalars(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<Vec<Value>> {
    read::filled_list(SCALARS_MAX, read::scalar)(value, at, errors)
}
