//! Holds answers against questions: one fault for each question at the most.

use contract::{
    error::FieldError,
    form::{FieldType, FormField},
    json::{Object, Value},
    read::{At, nearest},
    time::Timestamp,
};

use crate::rule::small;

/// The most bytes of one text; rules read no more (contract, section 1).
const TEXT_BYTES_MAX: usize = 65_536;

/// How many answers to questions that nobody asked are told of.
const UNKNOWN_MAX: usize = 100;

/// A code for programs and words for people.
type Fault = (&'static str, String);

/// What is wrong with `values` as answers to `fields`, with pointers below `/values`.
pub fn check(fields: &[FormField], values: &Object) -> Vec<FieldError> {
    let at = At::ROOT;
    let at = at.name("values");
    let told = |name: &str, (code, message): Fault| FieldError {
        path: at.name(name).to_string(),
        code: code.to_owned(),
        message,
    };
    let faults = fields.iter().filter_map(|field| {
        let fault = match values.get(&field.name) {
            Some(value) => answer(field, value).err(),
            None => field.is_required().then(missing),
        };
        fault.map(|fault| told(&field.name, fault))
    });
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let unknown = values.iter().map(|(name, _)| name).filter(|name| !names.contains(name));
    let strangers = unknown.take(UNKNOWN_MAX).map(|name| {
        let hint = nearest(name, &names).map(|known| format!("; did you mean `{known}`?"));
        let message = format!("this form does not ask for `{name}`{}", hint.unwrap_or_default());
        told(name, ("unknown", message))
    });
    faults.chain(strangers).collect()
}

/// Refuses patterns that cannot be matched, with pointers below `/fields`.
pub fn refuse_patterns(fields: &[FormField]) -> Vec<FieldError> {
    let at = At::ROOT;
    let at = at.name("fields");
    let faults = fields.iter().enumerate().filter_map(|(index, field)| {
        let message = small(field.pattern.as_deref()?).err()?;
        let path = at.index(index).name("pattern").to_string();
        Some(FieldError { path, code: "format".to_owned(), message })
    });
    faults.collect()
}

fn missing() -> Fault {
    ("required", "needs an answer".to_owned())
}

fn fault<T>(code: &'static str, message: impl Into<String>) -> Result<T, Fault> {
    Err((code, message.into()))
}

/// Holds one answer against its question.
pub(super) fn answer(field: &FormField, value: &Value) -> Result<(), Fault> {
    match field.kind {
        FieldType::Number => number(field, value),
        FieldType::Boolean => match value {
            Value::Bool(_) => Ok(()),
            _ => fault("type", "must be true or false"),
        },
        FieldType::Select if !is_option(field, value) => {
            fault("enum", "must be one of the options")
        }
        FieldType::Select => Ok(()),
        FieldType::Multiselect => several(field, value),
        FieldType::Date => match text(field, value)? {
            day if Timestamp::from_date(day).is_some() => Ok(()),
            _ => fault("format", "must be a date, such as 2026-09-01"),
        },
        FieldType::Datetime => match text(field, value)? {
            at if at.parse::<Timestamp>().is_ok() => Ok(()),
            _ => fault("format", "must be a date and time, such as 2026-09-01T10:00:00Z"),
        },
        FieldType::Text | FieldType::Textarea => worded(field, text(field, value)?),
        FieldType::Email => match text(field, value)? {
            address if is_email(address) => worded(field, address),
            _ => fault("format", "must be an e-mail address, such as ada@example.com"),
        },
        FieldType::Url => match text(field, value)? {
            address if is_web(address) => worded(field, address),
            _ => fault("format", "must be a web address, such as https://example.com"),
        },
    }
}

fn number(field: &FormField, value: &Value) -> Result<(), Fault> {
    let Value::Number(number) = value else {
        return fault("type", "must be a number, such as 2500");
    };
    match (field.min, field.max) {
        (Some(min), _) if *number < min => fault("range", format!("must be at least {min}")),
        (_, Some(max)) if *number > max => fault("range", format!("must be at most {max}")),
        _ => Ok(()),
    }
}

fn several(field: &FormField, value: &Value) -> Result<(), Fault> {
    let Value::Array(chosen) = value else {
        return fault("type", "must be a list of options");
    };
    if chosen.is_empty() && field.is_required() {
        return Err(missing());
    }
    let mut seen: Vec<&Value> = Vec::new();
    for one in chosen {
        if !is_option(field, one) {
            return fault("enum", "must have nothing but the options");
        }
        if seen.contains(&one) {
            return fault("duplicate", "must have no option twice");
        }
        seen.push(one);
    }
    Ok(())
}

fn is_option(field: &FormField, value: &Value) -> bool {
    field.choices().iter().any(|option| option.value == *value)
}

/// The text, unless it is none, or empty where there must be one.
fn text<'v>(field: &FormField, value: &'v Value) -> Result<&'v str, Fault> {
    match value {
        Value::String(text) if text.trim().is_empty() && field.is_required() => Err(missing()),
        Value::String(text) if text.len() > TEXT_BYTES_MAX => {
            fault("too_long", format!("must have at most {TEXT_BYTES_MAX} bytes"))
        }
        Value::String(text) => Ok(text),
        _ => fault("type", "must be a text"),
    }
}

fn worded(field: &FormField, text: &str) -> Result<(), Fault> {
    let length = text.chars().count();
    let is = |bound: Option<u32>| bound.and_then(|bound| usize::try_from(bound).ok());
    if let Some(least) = is(field.min_length).filter(|least| length < *least) {
        return fault("too_short", format!("must have at least {least} characters"));
    }
    if let Some(most) = is(field.max_length).filter(|most| length > *most) {
        return fault("too_long", format!("must have at most {most} characters"));
    }
    // A pattern that cannot be matched was refused when the form was made.
    let pattern = field.pattern.as_deref().and_then(|pattern| small(pattern).ok());
    if pattern.is_some_and(|pattern| !pattern.is_match(text)) {
        return fault("pattern", "does not have the form that is asked for");
    }
    Ok(())
}

fn is_email(text: &str) -> bool {
    let is_word = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    text.len() <= 254
        && text.rsplit_once('@').is_some_and(|(mailbox, domain)| {
            is_word(mailbox) && is_word(domain) && !mailbox.contains('@')
        })
}

fn is_web(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    host.is_some_and(|host| !host.is_empty())
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}
