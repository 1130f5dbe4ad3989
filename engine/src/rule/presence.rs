//! `presence`: fields that must be there, must not be there, or must be long enough.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{
        self, At, Errors, Members,
        schema::{self, Shape},
    },
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
        let required = members.optional("required_fields", member::fields_if_any(names));
        let forbidden = members.optional("forbidden_fields", member::fields_if_any(names));
        let lengths = members.optional("min_length", lengths);
        let asked = ["required_fields", "forbidden_fields", "min_length"];
        members.at_least_one_of(&asked)?;
        members.any_of(|| {
            let case =
                |name| Shape { required: vec![name], filled: vec![name], ..Shape::default() };
            asked.map(case).to_vec()
        });
        let is_empty = |list: &Option<Vec<Field>>| list.as_ref().is_some_and(Vec::is_empty);
        // An empty list asks for nothing, which is accepted beside one that asks for something.
        if lengths.as_ref().is_none_or(Vec::is_empty)
            && (required.is_none() || is_empty(&required))
            && (forbidden.is_none() || is_empty(&forbidden))
        {
            let empty = asked.into_iter().find(|name| members.has(name));
            let message = "at least one of `required_fields`, `forbidden_fields` and `min_length` must \
                           not be empty";
            if members.is_good() {
                members.refuse(empty.unwrap_or("required_fields"), "too_few", message);
            }
        }
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
    if errors.is_describing() {
        let name = errors.part(|errors| drop(read::name(value, at, errors)));
        let length = errors.part(|errors| {
            read::whole(1, u32::MAX)(value, at, errors);
        });
        errors.describes(|| schema::map_of(name, length));
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
            let min = read::whole(1, u32::MAX)(min, &at, errors);
            let name = read::name(&name.into(), &at, errors);
            name.zip(usize::try_from(min?).ok())
        })
        .collect();
    lengths.into_iter().collect()
}
