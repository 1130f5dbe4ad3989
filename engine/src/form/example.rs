//! Answers that fit their questions, to show what a submission looks like.

use contract::{
    form::{FieldType, FormField},
    json::{Number, Object, Value},
};
use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind};

use super::check;

/// The most characters of a text that stands in an example: it is there to be read.
const CHARS_MAX: usize = 500;

/// How often, beyond the least, repetitions of a pattern are tried. A text that must be longer is filled up.
const REPEATS_MAX: u32 = 64;

/// How many texts of the right length are held against a question; each try compiles its pattern anew.
const TRIED_MAX: usize = 16;

/// What characters are taken from a class, the first of them that it has.
const LIKED: [char; 8] = ['a', 'A', '1', '-', '.', '_', ' ', '@'];

/// Answers to the questions that need one, or to the first of all. Each passes [`check`](super::check()), but
/// for texts that must be longer than 500 characters, and for patterns that no text was found for: these
/// have a placeholder or some words.
pub fn example(fields: &[FormField]) -> Object {
    let shown = fields.iter().filter(|field| field.is_required());
    let mut shown: Vec<&FormField> = shown.collect();
    if shown.is_empty() {
        shown.extend(fields.first());
    }
    shown.into_iter().map(|field| (field.name.clone(), answer(field))).collect()
}

fn answer(field: &FormField) -> Value {
    let first = || field.choices().first().map_or(Value::Null, |option| option.value.clone());
    match field.kind {
        FieldType::Number => {
            let wanted = Number::from(100);
            let least = field.min.filter(|min| *min > wanted);
            least.or(field.max.filter(|max| *max < wanted)).unwrap_or(wanted).into()
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

/// The first that fits of the placeholder, the usual text (`start`, `middle` and `end`) at any length, and what
/// the pattern matches, alone or within the usual text.
fn text(field: &FormField, start: &str, middle: &str, end: &str) -> Value {
    let bound = |bound: Option<u32>| bound.and_then(|bound| usize::try_from(bound).ok());
    let least = bound(field.min_length).unwrap_or(0).min(CHARS_MAX);
    let most = bound(field.max_length).unwrap_or(CHARS_MAX).min(CHARS_MAX);
    let filler = if start.is_empty() && end.is_empty() { '.' } else { 'a' };
    let sized = |start: &str, middle: &str, end: &str| {
        let rest = start.chars().chain(end.chars()).count();
        let chars = middle.chars().count().max(least.saturating_sub(rest));
        let filled = middle.chars().chain(std::iter::repeat(filler)).take(chars);
        let filled: String = filled.take(most.saturating_sub(rest)).collect();
        format!("{start}{filled}{end}")
    };

    let usual = sized(start, middle, end);
    let shown = field.placeholder.clone().unwrap_or_else(|| usual.clone());
    let hir = field.pattern.as_deref().and_then(|pattern| regex_syntax::parse(pattern).ok());
    let matching = |repeats: u32| {
        let mut out = String::new();
        write(hir.as_ref()?, repeats, &mut out).map(|()| out)
    };
    let wrapped = matching(0).into_iter().flat_map(|part| {
        let around = format!("{start}{middle}{part}");
        let (within, filled) = (format!("{start}{part}{end}"), sized("", &part, ""));
        [part, around, within, filled]
    });
    // Repeated only until one fits: most questions are content with the first.
    let repeated = (1..=REPEATS_MAX).map_while(matching);
    let is_sized = |text: &String| (least..=most).contains(&text.chars().count());
    let tried = [shown.clone(), usual].into_iter().chain(wrapped).chain(repeated);
    let tried = tried.filter(is_sized);
    let fits = |text: &String| check::answer(field, &text.as_str().into()).is_ok();
    tried.take(TRIED_MAX).find(fits).unwrap_or(shown).into()
}

/// Appends what `hir` matches, with this many repetitions beyond the least; nothing if that is too long.
fn write(hir: &Hir, repeats: u32, out: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let has = |char: char| {
                class.iter().any(|range| (range.start()..=range.end()).contains(&char))
            };
            let liked = LIKED.into_iter().find(|char| has(*char));
            out.push(liked.or_else(|| class.iter().next().map(ClassUnicodeRange::start))?);
        }
        HirKind::Class(Class::Bytes(class)) => {
            out.push(char::from(class.iter().next()?.start()));
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            for _ in 0..repetition.min.saturating_add(repeats).min(most) {
                write(&repetition.sub, repeats, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, repeats, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, repeats, out)?;
            }
        }
        HirKind::Alternation(ways) => write(ways.first()?, repeats, out)?,
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
    fn an_example_matches_its_pattern() {
        use FieldType::{Email, Text, Url};
        for (kind, pattern, bounds, shown) in [
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
            // Nothing matches these.
            (Text, "a^", (1, 9), "An exampl"),
            (Text, "^[a-z]{4}$", (9, 9), "An exampl"),
        ] {
            let field = field(kind, pattern, bounds);
            assert_eq!(answer(&field).as_str(), Some(shown), "{pattern} {bounds:?}");
        }
    }

    #[test]
    fn every_type_has_an_answer_that_fits() {
        use FieldType::{Boolean, Date, Datetime, Email, Multiselect, Number as Count, Select};
        use FieldType::{Text, Textarea, Url};
        let option = |value: &str| FieldOption { value: value.into(), label: value.to_owned() };
        let kinds =
            [Boolean, Count, Date, Datetime, Email, Multiselect, Select, Text, Textarea, Url];
        let asked = |(place, kind): (usize, FieldType)| FormField {
            required: Some(true),
            options: kind.has_options().then(|| vec![option("x"), option("y")]),
            ..FormField::new(format!("field_{place}"), "A", kind)
        };
        let fields: Vec<FormField> = kinds.into_iter().enumerate().map(asked).collect();
        let answers = example(&fields);
        assert_eq!((answers.len(), check(&fields, &answers)), (fields.len(), Vec::new()));

        let bound = |min: i32, max: i32| FormField {
            min: Some(Number::from(min)),
            max: Some(Number::from(max)),
            ..FormField::new("n", "N", FieldType::Number)
        };
        for (min, max, shown) in [(1, 9, 9), (1, 900, 100), (500, 900, 500)] {
            assert_eq!(answer(&bound(min, max)), Value::from(Number::from(shown)));
        }
    }

    #[test]
    fn one_question_is_shown_when_none_needs_an_answer() {
        let field = |name: &str, is_required| FormField {
            required: Some(is_required),
            ..FormField::new(name, "A", FieldType::Boolean)
        };
        let shown = |fields: &[FormField]| Value::from(example(fields)).to_canonical();
        assert_eq!(shown(&[field("a", false), field("b", true)]), r#"{"b":true}"#);
        assert_eq!(shown(&[field("a", false), field("b", false)]), r#"{"a":true}"#);
    }
}
