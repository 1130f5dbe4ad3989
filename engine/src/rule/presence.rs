//! `presence`: fields that must be there, must not be there, or must be long enough.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{self, At, Errors, Members},
};

use crate::{
    facts::Facts,
    field::{Field, Names},
    member,
    report::{Failure, Report, count},
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
    /// The field is also required, and then told of when it is missing.
    told_when_missing: bool,
}

impl Presence {
    pub(crate) fn read(members: &mut Members<'_, '_>, names: &mut Names) -> Option<Self> {
        let required = members.optional("required_fields", member::fields(names));
        let forbidden = members.optional("forbidden_fields", member::fields(names));
        let lengths = members.optional("min_length", lengths);
        member::at_least_one_of(members, &["required_fields", "forbidden_fields", "min_length"])?;
        let required = required.unwrap_or_default();
        let min_length = lengths
            .unwrap_or_default()
            .into_iter()
            .map(|(name, min)| {
                let field = names.field(&name);
                let told_when_missing = required.iter().any(|other| other.slot == field.slot);
                MinLength { field, min, told_when_missing }
            })
            .collect();
        Some(Self { required, forbidden: forbidden.unwrap_or_default(), min_length })
    }

    pub(crate) fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        for field in &self.required {
            if facts.value(field).is_none() {
                report.missing(&field.name);
            }
        }
        for field in &self.forbidden {
            if let Some(value) = facts.value(field) {
                let reason = format!("{} is given, but must not be", field.name);
                let failure = Failure::new(ReasonCode::FieldForbidden, "no value", reason);
                report.add(failure.field(field).actual(value));
            }
        }
        for asked in &self.min_length {
            asked.check(facts, report);
        }
    }
}

impl MinLength {
    fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let Self { field, min, told_when_missing } = self;
        let Some(value) = facts.value(field) else {
            if !told_when_missing {
                report.missing(&field.name);
            }
            return;
        };
        let length = length(value);
        if length.is_some_and(|length| length >= *min) {
            return;
        }
        let reason = match length {
            Some(length) => format!("{} has length {length}, below {min}", field.name),
            None => format!("{} has no length: it is neither a text nor a list", field.name),
        };
        let failure = Failure::new(ReasonCode::FieldTooShort, format!("length >= {min}"), reason)
            .field(field)
            .actual(value);
        report.add(match length {
            Some(length) => failure.details([("length", count(length))]),
            None => failure,
        });
    }
}

/// Scalar values of the trimmed text, or elements of the list.
fn length(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => Some(text.trim().chars().count()),
        Value::Array(elements) => Some(elements.len()),
        _ => None,
    }
}

/// `{field: n}`, in canonical order of names.
fn lengths(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<(String, usize)>> {
    let members = value.as_object().filter(|members| !members.is_empty());
    let Some(members) = members else {
        errors.push(at, "type", "must be an object of at least one field with its length");
        return None;
    };
    let lengths: Vec<_> = members
        .iter()
        .map(|(name, min)| {
            let at = at.name(name);
            let min = read::whole(1, u32::MAX)(min, &at, errors);
            let name = read::name(&name.into(), &at, errors);
            name.zip(usize::try_from(min?).ok())
        })
        .collect();
    lengths.into_iter().collect()
}
