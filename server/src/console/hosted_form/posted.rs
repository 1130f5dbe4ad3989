//! The fields that a browser posts, and their conversion to answers.

use app::public_form::{Answers, KEY, PREFIX};
use contract::{
    form::{FieldType, FormField},
    json::{Limits, Object, Value},
};

/// The posted fields of a form.
#[derive(Debug, Default)]
pub(super) struct PostedForm {
    /// The idempotency key of the page.
    pub(super) key: String,
    pairs: Vec<(String, String)>,
}

impl PostedForm {
    /// Creates a form without answers.
    pub(super) fn empty(key: String) -> Self {
        Self { key, pairs: Vec::new() }
    }

    /// Takes the idempotency key from the posted fields.
    pub(super) fn read(pairs: Vec<(String, String)>) -> Self {
        let mut posted = Self { key: String::new(), pairs };
        let key = posted.take(KEY).filter(|key| key.len() <= 255);
        posted.key = key.unwrap_or_default();
        posted
    }

    /// Removes and returns a field that is not an answer. Returns `None` if it is empty.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let index = self.pairs.iter().position(|(field_name, _)| field_name == name)?;
        Some(self.pairs.remove(index).1).filter(|value| !value.is_empty())
    }

    /// Returns the answers as text, for the page.
    pub(super) fn to_answers(&self) -> Answers {
        let values = self.pairs.iter().filter_map(|(name, value)| {
            Some((name.strip_prefix(PREFIX)?.to_owned(), value.clone()))
        });
        Answers { key: self.key.clone(), values: values.collect() }
    }

    /// Returns the posted values of a question.
    fn answers<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        let has_name = move |(field_name, _): &&(String, String)| {
            field_name.strip_prefix(PREFIX).is_some_and(|field_name| field_name == name)
        };
        self.pairs.iter().filter(has_name).map(|(_, value)| value.as_str())
    }

    /// Returns the posted value of a question with one answer.
    fn answer<'s>(&'s self, name: &'s str) -> &'s str {
        self.answers(name).next().unwrap_or_default()
    }

    /// Returns the answers. Empty fields are left out. Values that cannot be parsed are returned as text, so
    /// that validation rejects them.
    pub(super) fn values(&self, fields: &[FormField]) -> Object {
        let value = |field: &FormField| Some((field.name.clone(), self.value(field)?));
        fields.iter().filter_map(value).collect()
    }

    fn value(&self, field: &FormField) -> Option<Value> {
        if field.kind == FieldType::Multiselect {
            let selected: Vec<Value> =
                self.answers(&field.name).map(|text| option(field, text)).collect();
            return (!selected.is_empty()).then_some(Value::Array(selected));
        }
        // Browsers send CR LF as a line break.
        let text = self.answer(&field.name).replace("\r\n", "\n");
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return None;
        }
        Some(match field.kind {
            FieldType::Number => number(trimmed),
            FieldType::Boolean => match trimmed {
                "true" => true.into(),
                "false" => false.into(),
                other => other.into(),
            },
            FieldType::Select => option(field, trimmed),
            FieldType::Datetime => timestamp(trimmed).into(),
            FieldType::Date | FieldType::Email | FieldType::Url => trimmed.into(),
            FieldType::Text | FieldType::Textarea | FieldType::Multiselect => text.into(),
        })
    }
}

/// Returns the value of the option with this form value.
fn option(field: &FormField, form_value: &str) -> Value {
    let selected = field.options_or_empty().iter().find(|option| option.form_value() == form_value);
    selected.map_or_else(|| form_value.into(), |option| option.value.clone())
}

/// Parses a JSON number; other text is returned as text.
fn number(text: &str) -> Value {
    match Value::parse(text.trim_start_matches('+').as_bytes(), &Limits::REQUEST) {
        Ok(number @ Value::Number(_)) => number,
        _ => text.into(),
    }
}

/// Adds the UTC offset to a value of the browser's date and time field, which has none.
fn timestamp(text: &str) -> String {
    match text.len() {
        16 => format!("{text}:00Z"),
        19 => format!("{text}Z"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use contract::form::FieldOption;

    use super::*;

    #[test]
    fn answers_are_parsed_by_field_type() {
        let mut choice = FormField::new("c", "C", FieldType::Select);
        choice.options = Some(vec![FieldOption { value: 2.into(), label: "Two".into() }]);
        let multiselect =
            FormField { kind: FieldType::Multiselect, name: "m".into(), ..choice.clone() };
        let fields = [
            FormField::new("n", "N", FieldType::Number),
            FormField::new("bad", "B", FieldType::Number),
            FormField::new("empty", "E", FieldType::Text),
            FormField::new("t", "T", FieldType::Textarea),
            FormField::new("i", "I", FieldType::Datetime),
            FormField::new("b", "B", FieldType::Boolean),
            choice,
            multiselect,
        ];
        let pairs = [
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
        ];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let posted = PostedForm::read(pairs.into());
        assert_eq!(posted.key, "k");
        assert_eq!(
            Value::from(posted.values(&fields)).to_canonical(),
            r#"{"b":false,"bad":"2,5oo","c":2,"i":"2026-09-01T10:00:00Z","m":[2,"3"],"n":2500.5,"t":"one\ntwo"}"#
        );
    }
}
