//! The fields that a browser posts, and their conversion to answers.

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    form::{FieldType, FormField, lf_breaks},
    json::{Number, Object, Value},
};
use documents::public_form::{
    Answers, CHOICE_PREFIX, KEY, PREFIX,
    number::{self, NumberReading},
};

/// The posted fields of a form.
#[derive(Debug, Default)]
pub(super) struct PostedForm {
    /// The idempotency key of the page.
    pub(super) key: String,
    values: BTreeMap<String, Vec<String>>,
}

impl PostedForm {
    /// Creates a form without answers.
    pub(super) fn empty(key: String) -> Self {
        Self { key, values: BTreeMap::new() }
    }

    /// Takes the idempotency key from the posted fields. Browsers replace line breaks of names, too.
    pub(super) fn read(pairs: Vec<(String, String)>) -> Self {
        let mut posted = Self::default();
        for (name, value) in pairs {
            posted.values.entry(lf_breaks(&name)).or_default().push(value);
        }
        let key = posted.take(KEY).filter(|key| key.len() <= 255);
        posted.key = key.unwrap_or_default();
        posted
    }

    /// Removes and returns a field that is not an answer. Returns `None` if it is empty.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let values = self.values.remove(name)?;
        values.into_iter().next().filter(|value| !value.is_empty())
    }

    /// Returns the fields of answers with their names, for a page that posts them again.
    pub(super) fn of_answers(&self) -> Vec<(String, String)> {
        let is_answer = |name: &str| name.starts_with(PREFIX) || name.starts_with(CHOICE_PREFIX);
        let fields = self.values.iter().filter(|(name, _)| is_answer(name));
        let pairs = |(name, values): (&String, &Vec<String>)| {
            values.iter().map(|value| (name.clone(), value.clone())).collect::<Vec<_>>()
        };
        fields.flat_map(pairs).collect()
    }

    /// Returns the answers as text, for the page. A number whose reading was chosen is written so that it has no other.
    pub(super) fn to_answers(&self, fields: &[FormField], decimal: &str) -> Answers {
        let mut values = Vec::new();
        for field in fields {
            let chosen = self.chosen_reading(field, decimal);
            let chosen = chosen.map(|number| number::write(number, decimal));
            let text = |text: &String| chosen.clone().unwrap_or_else(|| lf_breaks(text));
            let texts = self.answers(&field.name).iter().map(text);
            values.extend(texts.map(|text| (field.name.clone(), text)));
        }
        Answers { key: self.key.clone(), values }
    }

    /// Returns the chosen reading of a number with two readings.
    fn chosen_reading(&self, field: &FormField, decimal: &str) -> Option<Number> {
        if field.kind != FieldType::Number {
            return None;
        }
        let text = self.answers(&field.name).first()?;
        let NumberReading::Two(readings) = number::read(text, decimal) else {
            return None;
        };
        let chosen = self.of(CHOICE_PREFIX, &field.name).first()?;
        readings.into_iter().find(|reading| reading.to_string() == *chosen)
    }

    /// Returns the posted values of a question.
    fn answers(&self, name: &str) -> &[String] {
        self.of(PREFIX, name)
    }

    fn of(&self, prefix: &str, name: &str) -> &[String] {
        let values = self.values.get(&format!("{prefix}{}", lf_breaks(name)));
        values.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the answers; `decimal` is the decimal separator of the page. Empty fields are left out.
    ///
    /// Values that cannot be parsed, and numbers with two readings, are returned as text, and several answers to a
    /// question with one as a list, so that validation rejects them. So it does with answers to questions that the form
    /// no longer has.
    pub(super) fn values(&self, fields: &[FormField], decimal: &str) -> Object {
        let value = |field: &FormField| Some((field.name.clone(), self.value(field, decimal)?));
        let names: BTreeSet<String> = fields.iter().map(|field| lf_breaks(&field.name)).collect();
        let unknown = self.values.iter().filter_map(|(name, texts)| {
            let name = name.strip_prefix(PREFIX).filter(|name| !names.contains(*name))?;
            let text = texts.iter().find(|text| !text.trim().is_empty())?;
            Some((name.to_owned(), text.as_str().into()))
        });
        fields.iter().filter_map(value).chain(unknown).collect()
    }

    fn value(&self, field: &FormField, decimal: &str) -> Option<Value> {
        let texts = self.answers(&field.name);
        if field.kind == FieldType::Multiselect {
            let selected: Vec<Value> = texts.iter().map(|text| option(field, text)).collect();
            return (!selected.is_empty()).then_some(Value::Array(selected));
        }
        let text = match texts {
            [] => return None,
            // Browsers send CR LF as a line break.
            [text] => text.replace("\r\n", "\n"),
            several => return Some(several.iter().map(String::as_str).collect()),
        };
        let trimmed = text.trim();
        if field.kind == FieldType::Select && !text.is_empty() {
            return Some(option(field, &text));
        }
        if trimmed.is_empty() {
            return None;
        }
        Some(match field.kind {
            FieldType::Number => self.number(field, trimmed, decimal),
            FieldType::Boolean => match trimmed {
                "true" => true.into(),
                "false" => false.into(),
                other => other.into(),
            },
            FieldType::Datetime => timestamp(trimmed).into(),
            FieldType::Date | FieldType::Email | FieldType::Url => trimmed.into(),
            FieldType::Text | FieldType::Textarea => text.into(),
            FieldType::Select | FieldType::Multiselect => return None,
        })
    }

    fn number(&self, field: &FormField, text: &str, decimal: &str) -> Value {
        match number::read(text, decimal) {
            NumberReading::One(number) => number.into(),
            NumberReading::Two(_) => {
                self.chosen_reading(field, decimal).map_or_else(|| text.into(), Value::from)
            }
            NumberReading::None => text.into(),
        }
    }
}

/// Returns the value of the option with this form value. Line breaks are compared as LF, because browsers send CR LF.
fn option(field: &FormField, form_value: &str) -> Value {
    let text = lf_breaks(form_value);
    let selected = field.options_or_empty().iter().find(|option| option.form_value() == text);
    selected.map_or_else(|| form_value.into(), |option| option.value.clone())
}

/// Adds the UTC offset to a value of the browser's date and time field, which has none, and seconds if they are missing.
fn timestamp(text: &str) -> String {
    let has_offset = |clock: &str| clock.contains(['Z', 'z', '+', '-']);
    match text.split_once(['T', 't']) {
        Some((_, clock)) if has_offset(clock) => text.to_owned(),
        Some((_, clock)) if clock.len() == 5 => format!("{text}:00Z"),
        Some(_) => format!("{text}Z"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use contract::form::FieldOption;

    use super::*;

    fn posted(pairs: &[(&str, &str)]) -> PostedForm {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        PostedForm::read(pairs.collect())
    }

    fn json(posted: &PostedForm, fields: &[FormField], decimal: &str) -> String {
        Value::from(posted.values(fields, decimal)).to_canonical()
    }

    fn choice(name: &str, kind: FieldType, values: impl IntoIterator<Item = Value>) -> FormField {
        let option = |value: Value| FieldOption { value, label: "A".into() };
        let options = Some(values.into_iter().map(option).collect());
        FormField { options, ..FormField::new(name, "A", kind) }
    }

    #[test]
    fn answers_are_parsed_by_field_type() {
        let fields = [
            FormField::new("n", "N", FieldType::Number),
            FormField::new("bad", "B", FieldType::Number),
            FormField::new("empty", "E", FieldType::Text),
            FormField::new("t", "T", FieldType::Textarea),
            FormField::new("i", "I", FieldType::Datetime),
            FormField::new("b", "B", FieldType::Boolean),
            choice("c", FieldType::Select, [2.into()]),
            choice("m", FieldType::Multiselect, [2.into()]),
        ];
        let posted = posted(&[
            ("key", "k"),
            ("n", "7"),
            ("a:n", " 2500.5 "),
            ("a:bad", "2,5oo"),
            ("a:empty", "  "),
            ("a:t", "one\r\ntwo"),
            ("a:i", "2026-09-01T10:00"),
            ("a:b", "false"),
            ("a:c", "2"),
            ("a:m", "2"),
            ("a:m", "3"),
        ]);
        assert_eq!(posted.key, "k");
        assert_eq!(
            json(&posted, &fields, "."),
            r#"{"b":false,"bad":"2,5oo","c":2,"i":"2026-09-01T10:00:00Z","m":[2,"3"],"n":2500.5,"t":"one\ntwo"}"#
        );
    }

    #[test]
    fn no_answer_is_left_out() {
        let fields = [
            FormField::new("n", "N", FieldType::Number),
            FormField::new("two\r\nlines", "T", FieldType::Text),
        ];
        let posted = posted(&[
            ("key", "k"),
            ("a:n", "1"),
            ("a:n", "2"),
            ("a:two\r\nlines", "x"),
            ("a:removed", "y"),
            ("a:removed empty", " "),
            ("other", "z"),
        ]);
        assert_eq!(
            json(&posted, &fields, "."),
            r#"{"n":["1","2"],"removed":"y","two\r\nlines":"x"}"#
        );
        let answers = posted.to_answers(&fields, ".").values;
        let shown: Vec<&str> = answers.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(shown, ["1", "2", "x"]);
    }

    #[test]
    fn an_option_is_found_by_its_exact_value() {
        let values = [" spaced ", "a\nb", "\u{A0}", "a,\"b\""];
        let fields = [choice("c", FieldType::Select, values.map(Value::from))];
        for (sent, value) in values.iter().zip(values) {
            let sent = sent.replace('\n', "\r\n");
            let chosen = posted(&[("a:c", &sent)]).values(&fields, ".");
            assert_eq!(chosen.get("c").and_then(Value::as_str), Some(value));
        }
        assert_eq!(json(&posted(&[("a:c", "")]), &fields, "."), "{}");
    }

    #[test]
    fn a_number_with_two_readings_needs_a_choice() {
        let fields = [FormField::new("n", "N", FieldType::Number)];
        for (choice, value, shown) in [
            ("", r#"{"n":"1.250"}"#, "1.250"),
            ("7", r#"{"n":"1.250"}"#, "1.250"),
            ("1250", r#"{"n":1250}"#, "1250"),
            ("1.25", r#"{"n":1.25}"#, "1,25"),
        ] {
            let posted = posted(&[("a:n", "1.250"), ("n:n", choice)]);
            assert_eq!(json(&posted, &fields, ","), value, "{choice}");
            let answers = posted.to_answers(&fields, ",").values;
            assert_eq!(answers, [("n".to_owned(), shown.to_owned())], "{choice}");
        }
        // A choice for an earlier text does not apply.
        let changed = posted(&[("a:n", "2.500"), ("n:n", "1250")]);
        assert_eq!(json(&changed, &fields, ","), r#"{"n":"2.500"}"#);
    }

    #[test]
    fn a_local_time_is_read_as_utc() {
        for (text, expected) in [
            ("2026-09-01T10:00", "2026-09-01T10:00:00Z"),
            ("2026-09-01T10:00:07", "2026-09-01T10:00:07Z"),
            ("2026-09-01T10:00:07.5", "2026-09-01T10:00:07.5Z"),
            ("2026-09-01T10:00:07+02:00", "2026-09-01T10:00:07+02:00"),
            ("2026-09-01", "2026-09-01"),
        ] {
            assert_eq!(timestamp(text), expected);
        }
    }
}
