//! The rule type `presence`: fields must be present, must be absent, or must have a minimum length.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{
        self, FieldErrors, JsonPath, ObjectReader,
        schema::{self, Shape},
    },
};

use super::violation::{FailedCheck, ViolationCollector, count};
use crate::{
    byte_budget::ResultTooLarge,
    context_values::ContextValues,
    field::{Field, SlotTable},
    member,
};

/// `{required_fields?, forbidden_fields?, min_length?}`
#[derive(Debug)]
pub(crate) struct Presence {
    required: Vec<Field>,
    forbidden: Vec<Field>,
    min_length: Vec<MinLength>,
}

#[derive(Debug)]
struct MinLength {
    field: Field,
    min: usize,
    /// Whether the field is also required, so that a missing field is already reported.
    is_required: bool,
}

impl Presence {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>, names: &mut SlotTable) -> Option<Self> {
        let required = members.optional("required_fields", member::possibly_empty_fields(names));
        let forbidden = members.optional("forbidden_fields", member::possibly_empty_fields(names));
        let lengths = members.optional("min_length", lengths);
        let list_names = ["required_fields", "forbidden_fields", "min_length"];
        members.at_least_one_of(&list_names)?;
        members.any_of(|| {
            let case =
                |name| Shape { required: vec![name], non_empty: vec![name], ..Shape::default() };
            list_names.map(case).to_vec()
        });
        let required = required.unwrap_or_default();
        let forbidden = forbidden.unwrap_or_default();
        let lengths = lengths.unwrap_or_default();
        // An empty list is accepted if another member is not empty.
        let is_empty = required.is_empty() && forbidden.is_empty() && lengths.is_empty();
        if is_empty && members.is_valid() {
            let empty = list_names.into_iter().find(|name| members.has(name));
            let message = "at least one of `required_fields`, `forbidden_fields` and `min_length` must \
                           not be empty";
            members.add_error(empty.unwrap_or("required_fields"), "too_few", message);
        }
        let min_length = lengths
            .into_iter()
            .map(|(name, min)| {
                let field = names.field(&name);
                let is_required = required.iter().any(|other| other.slot == field.slot);
                MinLength { field, min, is_required }
            })
            .collect();
        Some(Self { required, forbidden, min_length })
    }

    /// Returns the number of fields, counting one for each check.
    pub(crate) fn field_count(&self) -> usize {
        let required = self.required.len().saturating_add(self.forbidden.len());
        required.saturating_add(self.min_length.len())
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        for field in &self.required {
            if context.value(field).is_none() {
                collector.missing(&field.name)?;
            }
        }
        for field in &self.forbidden {
            if let Some(value) = context.value(field) {
                let reason = format!("{} is present, but must be absent", field.name);
                let failure = FailedCheck::new(ReasonCode::FieldForbidden, "no value", reason);
                collector.add(failure.field(field).actual(value))?;
            }
        }
        for min_length in &self.min_length {
            min_length.check(context, collector)?;
        }
        Ok(())
    }
}

impl MinLength {
    fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        let Self { field, min, is_required } = self;
        let Some(value) = context.value(field) else {
            return if *is_required { Ok(()) } else { collector.missing(&field.name) };
        };
        let length = length(value);
        if length.is_some_and(|length| length >= *min) {
            return Ok(());
        }
        let reason = match length {
            Some(length) => format!("{} has length {length}, below {min}", field.name),
            None => format!("{} has no length: it is neither a string nor a list", field.name),
        };
        let failure =
            FailedCheck::new(ReasonCode::FieldTooShort, format!("length >= {min}"), reason)
                .field(field)
                .actual(value);
        collector.add(match length {
            Some(length) => failure.details([("length", count(length))]),
            None => failure,
        })
    }
}

/// Returns the number of scalar values of the trimmed string, or of elements of the list.
fn length(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => Some(text.trim().chars().count()),
        Value::Array(elements) => Some(elements.len()),
        _ => None,
    }
}

/// Reads `{field: n}` in the canonical order of the names.
fn lengths(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<Vec<(String, usize)>> {
    if errors.describes_named("MinLengths", |errors| {
        let name = errors.schema_of(|errors| drop(read::name(value, at, errors)));
        let length = errors.schema_of(|errors| {
            read::integer(1, u32::MAX)(value, at, errors);
        });
        errors.describes(|| schema::map_of(name, length));
    }) {
        return None;
    }
    let Some(members) = value.as_object() else {
        errors.push(at, "type", "must be an object of fields with their lengths");
        return None;
    };
    let lengths: Vec<_> = members
        .iter()
        .map(|(name, min)| {
            let at = at.name(name);
            let min = read::integer(1, u32::MAX)(min, &at, errors);
            let name = member::field_name(&name.into(), &at, errors);
            name.zip(usize::try_from(min?).ok())
        })
        .collect();
    lengths.into_iter().collect()
}
