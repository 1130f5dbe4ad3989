//! Validation of submitted form values: at most one error per field.

use contract::{
    error::FieldError,
    form::{EMAIL_CHARS_MAX, EMAIL_PATTERN, FieldType, FormField, URL_PATTERN},
    json::{Object, Value},
    read::{JsonPath, closest_match},
    time::Timestamp,
};

use crate::pattern::{CompiledPattern, PatternError, STATES_MAX, StateBudget, to_ecma};

/// The maximum length of a text in bytes, as for texts that rules read (contract, section 1).
const TEXT_BYTES_MAX: usize = 65_536;

/// The maximum number of unknown values that are reported.
const UNKNOWN_MAX: usize = 100;

/// An error code for programs and a message for people.
type ErrorParts = (&'static str, String);

/// Returns the errors of `values` as values of `fields`, with JSON Pointers under `/values`.
pub fn check(fields: &[FormField], values: &Object) -> Vec<FieldError> {
    let at = JsonPath::ROOT.name("values");
    let field_error = |name: &str, (code, message): ErrorParts| {
        FieldError::new(at.name(name).to_string(), code, message)
    };
    let field_errors = fields.iter().filter_map(|field| {
        let error = match values.get(&field.name) {
            Some(value) => check_value(field, value).err(),
            None => field.is_required().then(missing),
        };
        error.map(|error| field_error(&field.name, error))
    });
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let unknown = values.iter().map(|(name, _)| name).filter(|name| !names.contains(name));
    let unknown_errors = unknown.take(UNKNOWN_MAX).map(|name| {
        let hint = closest_match(name, &names).map(|known| format!("; did you mean `{known}`?"));
        let message = format!("`{name}` is not a field of this form{}", hint.unwrap_or_default());
        field_error(name, ("unknown", message))
    });
    field_errors.chain(unknown_errors).collect()
}

/// The steps to compile a pattern for one state.
const COMPILE_STEPS: usize = 64;

/// Returns an upper bound of the steps of [`check`]: for each byte of a text, the states of its pattern.
pub fn steps(fields: &[FormField], values: &Object) -> u64 {
    let steps = |field: &FormField| {
        field.pattern.as_ref()?;
        let text = values.get(&field.name)?.as_str()?;
        let steps = STATES_MAX.saturating_mul(text.len().saturating_add(COMPILE_STEPS));
        Some(u64::try_from(steps).unwrap_or(u64::MAX))
    };
    fields.iter().filter_map(steps).fold(0, u64::saturating_add)
}

/// Returns the errors of patterns that cannot be used, with JSON Pointers under `/fields`: those that cannot be
/// compiled, have too many states, or cannot be published in a JSON Schema.
pub fn check_patterns(fields: &[FormField]) -> Vec<FieldError> {
    let at = JsonPath::ROOT.name("fields");
    let mut budget = StateBudget::default();
    let field_errors = fields.iter().enumerate().filter_map(|(index, field)| {
        let (code, message) = check_pattern(field.pattern.as_deref()?, &mut budget).err()?;
        let path = at.index(index).name("pattern").to_string();
        Some(FieldError::new(path, code, message))
    });
    field_errors.collect()
}

fn check_pattern(pattern: &str, budget: &mut StateBudget) -> Result<(), ErrorParts> {
    match CompiledPattern::new(pattern, Some(budget)) {
        Ok(_) | Err(PatternError::NotCompiled) => {}
        Err(error) => return Err((error.code(), error.to_string())),
    }
    if to_ecma(pattern).is_none() {
        return fail("value", "has no equivalent in JSON Schema: do not use the flag `R`");
    }
    Ok(())
}

/// Returns the fields with their patterns as JSON Schema writes them: ECMA-262 with the flag `u`. A pattern of an
/// earlier release that has no equivalent is left out; submissions are still checked with it.
pub fn published(fields: &[FormField]) -> Vec<FormField> {
    let publish = |field: &FormField| FormField {
        pattern: field.pattern.as_deref().and_then(to_ecma),
        ..field.clone()
    };
    fields.iter().map(publish).collect()
}

fn missing() -> ErrorParts {
    ("required", "an answer is required".to_owned())
}

fn fail<T>(code: &'static str, message: impl Into<String>) -> Result<T, ErrorParts> {
    Err((code, message.into()))
}

pub(super) fn check_value(field: &FormField, value: &Value) -> Result<(), ErrorParts> {
    match field.kind {
        FieldType::Number => number(field, value),
        FieldType::Boolean => match value {
            Value::Bool(_) => Ok(()),
            _ => fail("type", "must be true or false"),
        },
        FieldType::Select if !is_option(field, value) => fail("enum", "must be one of the options"),
        FieldType::Select => Ok(()),
        FieldType::Multiselect => check_multiselect(field, value),
        FieldType::Date => match text(field, value)? {
            day if Timestamp::from_date(day).is_some() => Ok(()),
            _ => fail("format", "must be a date, such as 2026-09-01"),
        },
        FieldType::Datetime => match text(field, value)? {
            at if at.parse::<Timestamp>().is_ok() => Ok(()),
            _ => fail("format", "must be a date and time, such as 2026-09-01T10:00:00Z"),
        },
        FieldType::Text | FieldType::Textarea => check_text(field, text(field, value)?),
        FieldType::Email => match text(field, value)? {
            address if is_email(address) => check_text(field, address),
            _ => fail("format", "must be an email address, such as ada@example.com"),
        },
        FieldType::Url => match text(field, value)? {
            address if matches(URL_PATTERN, address) => check_text(field, address),
            _ => fail("format", "must be a web address, such as https://example.com"),
        },
    }
}

fn number(field: &FormField, value: &Value) -> Result<(), ErrorParts> {
    let Value::Number(number) = value else {
        return fail("type", "must be a number, such as 2500");
    };
    match (field.min, field.max) {
        (Some(min), _) if *number < min => fail("range", format!("must be at least {min}")),
        (_, Some(max)) if *number > max => fail("range", format!("must be at most {max}")),
        _ => Ok(()),
    }
}

fn check_multiselect(field: &FormField, value: &Value) -> Result<(), ErrorParts> {
    let Value::Array(chosen) = value else {
        return fail("type", "must be a list of options");
    };
    if chosen.is_empty() && field.is_required() {
        return Err(missing());
    }
    let mut options_before: Vec<&Value> = Vec::new();
    for option in chosen {
        if !is_option(field, option) {
            return fail("enum", "must contain only the options");
        }
        if options_before.contains(&option) {
            return fail("duplicate", "must contain each option at most once");
        }
        options_before.push(option);
    }
    Ok(())
}

fn is_option(field: &FormField, value: &Value) -> bool {
    field.options_or_empty().iter().any(|option| option.value == *value)
}

/// Returns the string. Fails if the value is not a string, is too long, or is blank but required.
fn text<'v>(field: &FormField, value: &'v Value) -> Result<&'v str, ErrorParts> {
    match value {
        Value::String(text) if text.trim().is_empty() && field.is_required() => Err(missing()),
        Value::String(text) if text.len() > TEXT_BYTES_MAX => {
            fail("too_long", format!("must have at most {TEXT_BYTES_MAX} bytes"))
        }
        Value::String(text) => Ok(text),
        _ => fail("type", "must be a string"),
    }
}

fn check_text(field: &FormField, text: &str) -> Result<(), ErrorParts> {
    let length = text.chars().count();
    let to_usize = |bound: Option<u32>| bound.and_then(|bound| usize::try_from(bound).ok());
    if let Some(min) = to_usize(field.min_length).filter(|min| length < *min) {
        return fail("too_short", format!("must have at least {min} characters"));
    }
    if let Some(max) = to_usize(field.max_length).filter(|max| length > *max) {
        return fail("too_long", format!("must have at most {max} characters"));
    }
    // Patterns that cannot be compiled were refused when the form was created.
    let pattern = field.pattern.as_deref();
    let pattern = pattern.and_then(|pattern| CompiledPattern::new(pattern, None).ok());
    if pattern.is_some_and(|pattern| !pattern.is_match(text)) {
        return fail("pattern", "does not have the required format");
    }
    Ok(())
}

fn is_email(text: &str) -> bool {
    let is_short = u32::try_from(text.len()).is_ok_and(|length| length <= EMAIL_CHARS_MAX);
    is_short && matches(EMAIL_PATTERN, text)
}

fn matches(pattern: &str, text: &str) -> bool {
    CompiledPattern::new(pattern, None).is_ok_and(|pattern| pattern.is_match(text))
}
