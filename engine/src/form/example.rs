//! Example values that match their fields, to illustrate a submission.

use contract::{
    form::{FieldType, FormField},
    json::{Number, Object, Value},
};
use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind};

use super::check;
use crate::pattern;

/// The maximum length of an example text in characters, so that it stays readable.
const CHARS_MAX: usize = 500;

/// The maximum number of extra repetitions that are tried for a pattern. Texts that must be longer are
/// padded.
const REPEATS_MAX: u32 = 64;

/// The maximum number of candidate texts that are checked for a field. Each check compiles the pattern again.
const ATTEMPTS_MAX: usize = 16;

/// The preferred characters of a character class, in order of preference.
const PREFERRED_CHARS: [char; 8] = ['a', 'A', '1', '-', '.', '_', ' ', '@'];

/// Returns example values for the required fields, or for the first field if none is required.
///
/// Each value passes [`check`](super::check()), except for texts that must be longer than 500 characters and
/// patterns for which no text was found. These have a placeholder or a default text.
pub fn example(fields: &[FormField]) -> Object {
    let example_fields = fields.iter().filter(|field| field.is_required());
    let mut example_fields: Vec<&FormField> = example_fields.collect();
    if example_fields.is_empty() {
        example_fields.extend(fields.first());
    }
    example_fields.into_iter().map(|field| (field.name.clone(), example_value(field))).collect()
}

fn example_value(field: &FormField) -> Value {
    let first =
        || field.options_or_empty().first().map_or(Value::Null, |option| option.value.clone());
    match field.kind {
        FieldType::Number => {
            let default = Number::from(100);
            let raised = field.min.filter(|min| *min > default);
            raised.or(field.max.filter(|max| *max < default)).unwrap_or(default).into()
        }
        FieldType::Boolean => true.into(),
        FieldType::Select => first(),
        FieldType::Multiselect => Value::Array(vec![first()]),
        FieldType::Date => "2026-09-01".into(),
        FieldType::Datetime => "2026-09-01T10:00:00Z".into(),
        FieldType::Email => text(field, "", "ada", "@example.com"),
        FieldType::Url => text(field, "https://", "example.com", ""),
        FieldType::Text | FieldType::Textarea => text(field, "", "An example", ""),
    }
}

/// Returns the first valid candidate: the placeholder, the default text (`start`, `middle` and `end`) padded
/// to the length limits, or text generated from the pattern, alone or within the default text.
fn text(field: &FormField, start: &str, middle: &str, end: &str) -> Value {
    let to_usize = |bound: Option<u32>| bound.and_then(|bound| usize::try_from(bound).ok());
    let min = to_usize(field.min_length).unwrap_or(0).min(CHARS_MAX);
    let max = to_usize(field.max_length).unwrap_or(CHARS_MAX).min(CHARS_MAX);
    let filler = if start.is_empty() && end.is_empty() { '.' } else { 'a' };
    let pad = |start: &str, middle: &str, end: &str| {
        let rest = start.chars().chain(end.chars()).count();
        let chars = middle.chars().count().max(min.saturating_sub(rest));
        let padded = middle.chars().chain(std::iter::repeat(filler)).take(chars);
        let padded: String = padded.take(max.saturating_sub(rest)).collect();
        format!("{start}{padded}{end}")
    };

    let default_text = pad(start, middle, end);
    let fallback = field.placeholder.clone().unwrap_or_else(|| default_text.clone());
    let hir = field.pattern.as_deref().and_then(|pattern| pattern::parse(pattern).ok());
    let generated = |repeats: u32| {
        let mut out = String::new();
        write(hir.as_ref()?, repeats, &mut out).map(|()| out)
    };
    let wrapped = generated(0).into_iter().flat_map(|part| {
        let appended = format!("{start}{middle}{part}");
        let (enclosed, padded) = (format!("{start}{part}{end}"), pad("", &part, ""));
        [part, appended, enclosed, padded]
    });
    // Repetitions are tried lazily; most fields accept the first candidate.
    let repeated = (1..=REPEATS_MAX).map_while(generated);
    let is_in_range = |text: &String| (min..=max).contains(&text.chars().count());
    let candidates = [fallback.clone(), default_text].into_iter().chain(wrapped).chain(repeated);
    let candidates = candidates.filter(is_in_range);
    let fits = |text: &String| check::check_value(field, &text.as_str().into()).is_ok();
    candidates.take(ATTEMPTS_MAX).find(fits).unwrap_or(fallback).into()
}

/// Appends a text that matches `hir`, with `repeats` extra repetitions. Returns `None` if it becomes too
/// long.
fn write(hir: &Hir, repeats: u32, out: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let has = |char: char| {
                class.iter().any(|range| (range.start()..=range.end()).contains(&char))
            };
            let preferred = PREFERRED_CHARS.into_iter().find(|char| has(*char));
            out.push(preferred.or_else(|| class.iter().next().map(ClassUnicodeRange::start))?);
        }
        HirKind::Class(Class::Bytes(class)) => {
            out.push(char::from(class.iter().next()?.start()));
        }
        HirKind::Repetition(repetition) => {
            let max = repetition.max.unwrap_or(u32::MAX);
            for _ in 0..repetition.min.saturating_add(repeats).min(max) {
                write(&repetition.sub, repeats, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, repeats, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, repeats, out)?;
            }
        }
        HirKind::Alternation(alternatives) => write(alternatives.first()?, repeats, out)?,
    }
    (out.len() <= 4 * CHARS_MAX).then_some(())
}

#[cfg(test)]
mod tests {
    use contract::form::FieldOption;

    use super::*;
    use crate::form::check;

    fn field(kind: FieldType, pattern: &str, bounds: (u32, u32)) -> FormField {
        FormField {
            pattern: (!pattern.is_empty()).then(|| pattern.to_owned()),
            min_length: Some(bounds.0),
            max_length: Some(bounds.1),
            ..FormField::new("a", "A", kind)
        }
    }

    #[test]
    fn examples_match_their_patterns() {
        use FieldType::{Email, Text, Url};
        for (kind, pattern, bounds, expected) in [
            (Text, "", (0, 100), "An example"),
            (Text, "", (14, 100), "An example...."),
            (Text, "", (0, 4), "An e"),
            (Text, "e", (0, 100), "An example"),
            (Text, r"^INV-\d{4}$", (0, 100), "INV-1111"),
            (Text, "^(GB|DE)[0-9A-Z]+$", (6, 6), "GBAAAA"),
            (Text, r"^\d{3,5}-[a-z]{2,20}$", (14, 20), "11111-aaaaaaaa"),
            (Text, "^x", (5, 9), "x...."),
            (Text, r"(?i)\bYES\b", (0, 9), "YES"),
            (Text, "^[^a-zA-Z0-9]+$", (1, 9), "-"),
            (Text, r"^\p{Greek}$", (1, 9), "Ͱ"),
            (Email, "", (0, 100), "ada@example.com"),
            (Email, "", (20, 100), "adaaaaaa@example.com"),
            (Email, r"@acme\.com$", (0, 100), "ada@acme.com"),
            (Email, r"^[a-z]+@acme\.com$", (0, 100), "a@acme.com"),
            (Url, "", (0, 100), "https://example.com"),
            (Url, r"\.pdf$", (0, 100), "https://example.com.pdf"),
            (Url, r"^https://acme\.com/[0-9]+$", (0, 100), "https://acme.com/1"),
            // No text matches these patterns.
            (Text, "a^", (1, 9), "An exampl"),
            (Text, "^[a-z]{4}$", (9, 9), "An exampl"),
        ] {
            let field = field(kind, pattern, bounds);
            assert_eq!(example_value(&field).as_str(), Some(expected), "{pattern} {bounds:?}");
        }
    }

    #[test]
    fn every_field_type_has_a_valid_example() {
        use FieldType::{
            Boolean, Date, Datetime, Email, Multiselect, Number as Count, Select, Text, Textarea,
            Url,
        };
        let option = |value: &str| FieldOption { value: value.into(), label: value.to_owned() };
        let kinds =
            [Boolean, Count, Date, Datetime, Email, Multiselect, Select, Text, Textarea, Url];
        let field_of_kind = |(index, kind): (usize, FieldType)| FormField {
            required: Some(true),
            options: kind.has_options().then(|| vec![option("x"), option("y")]),
            ..FormField::new(format!("field_{index}"), "A", kind)
        };
        let fields: Vec<FormField> = kinds.into_iter().enumerate().map(field_of_kind).collect();
        let values = example(&fields);
        assert_eq!((values.len(), check(&fields, &values)), (fields.len(), Vec::new()));

        let bound = |min: i32, max: i32| FormField {
            min: Some(Number::from(min)),
            max: Some(Number::from(max)),
            ..FormField::new("n", "N", FieldType::Number)
        };
        for (min, max, expected) in [(1, 9, 9), (1, 900, 100), (500, 900, 500)] {
            assert_eq!(example_value(&bound(min, max)), Value::from(Number::from(expected)));
        }
    }

    #[test]
    fn first_field_is_used_when_none_is_required() {
        let field = |name: &str, is_required| FormField {
            required: Some(is_required),
            ..FormField::new(name, "A", FieldType::Boolean)
        };
        let example_json = |fields: &[FormField]| Value::from(example(fields)).to_canonical();
        assert_eq!(example_json(&[field("a", false), field("b", true)]), r#"{"b":true}"#);
        assert_eq!(example_json(&[field("a", false), field("b", false)]), r#"{"a":true}"#);
    }
}
