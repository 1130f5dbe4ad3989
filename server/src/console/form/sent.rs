//! What a browser sends of a form, and the answers that it stands for.

use contract::{
    form::{FieldType, FormField},
    json::{Limits, Object, Value},
};

/// Before the names of questions, so that none is taken for a field of the page.
pub(super) const PREFIX: &str = "a:";

/// The name of the field with the idempotency key.
pub(super) const KEY: &str = "key";

/// What was sent.
#[derive(Debug, Default)]
pub(super) struct Sent {
    /// The idempotency key of the page.
    pub(super) key: String,
    pairs: Vec<(String, String)>,
}

impl Sent {
    /// A page without answers.
    pub(super) fn blank(key: String) -> Self {
        Self { key, pairs: Vec::new() }
    }

    /// The fields of a post.
    pub(super) fn read(pairs: Vec<(String, String)>) -> Self {
        let mut sent = Self { key: String::new(), pairs };
        let key = sent.take(KEY).filter(|key| key.len() <= 255);
        sent.key = key.unwrap_or_default();
        sent
    }

    /// A field of the page that is no answer; none when it is empty.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.pairs.iter().position(|(found, _)| found == name)?;
        Some(self.pairs.remove(place).1).filter(|value| !value.is_empty())
    }

    /// What was sent for a question, as it was typed.
    pub(super) fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        let is_asked = move |(found, _): &&(String, String)| {
            found.strip_prefix(PREFIX).is_some_and(|found| found == name)
        };
        self.pairs.iter().filter(is_asked).map(|(_, value)| value.as_str())
    }

    /// The same, of a question with one answer.
    pub(super) fn one<'s>(&'s self, name: &'s str) -> &'s str {
        self.all(name).next().unwrap_or_default()
    }

    /// The answers. What was left empty is not there; what cannot be read is there as it was typed, to be
    /// refused.
    pub(super) fn values(&self, fields: &[FormField]) -> Object {
        let value = |field: &FormField| Some((field.name.clone(), self.value(field)?));
        fields.iter().filter_map(value).collect()
    }

    fn value(&self, field: &FormField) -> Option<Value> {
        if field.kind == FieldType::Multiselect {
            let chosen: Vec<Value> = self.all(&field.name).map(|one| option(field, one)).collect();
            return (!chosen.is_empty()).then_some(Value::Array(chosen));
        }
        // A browser ends lines with two characters, a program with one.
        let typed = self.one(&field.name).replace("\r\n", "\n");
        let trimmed = typed.trim();
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
            FieldType::Datetime => instant(trimmed).into(),
            FieldType::Date | FieldType::Email | FieldType::Url => trimmed.into(),
            FieldType::Text | FieldType::Textarea | FieldType::Multiselect => typed.into(),
        })
    }
}

/// The option that was chosen, by what the page sends of it.
fn option(field: &FormField, sent: &str) -> Value {
    let chosen = field.choices().iter().find(|option| option.sent() == sent);
    chosen.map_or_else(|| sent.into(), |option| option.value.clone())
}

/// A number as JSON writes it; any other text stays one.
fn number(typed: &str) -> Value {
    match Value::parse(typed.trim_start_matches('+').as_bytes(), &Limits::REQUEST) {
        Ok(number @ Value::Number(_)) => number,
        _ => typed.into(),
    }
}

/// What a browser's own field gives has no offset: the page says that it is UTC.
fn instant(typed: &str) -> String {
    match typed.len() {
        16 => format!("{typed}:00Z"),
        19 => format!("{typed}Z"),
        _ => typed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use contract::form::FieldOption;

    use super::*;

    #[test]
    fn answers_are_read_by_the_type_of_their_question() {
        let mut choice = FormField::new("c", "C", FieldType::Select);
        choice.options = Some(vec![FieldOption { value: 2.into(), label: "Two".into() }]);
        let several =
            FormField { kind: FieldType::Multiselect, name: "m".into(), ..choice.clone() };
        let fields = [
            FormField::new("n", "N", FieldType::Number),
            FormField::new("bad", "B", FieldType::Number),
            FormField::new("empty", "E", FieldType::Text),
            FormField::new("t", "T", FieldType::Textarea),
            FormField::new("i", "I", FieldType::Datetime),
            FormField::new("b", "B", FieldType::Boolean),
            choice,
            several,
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
        let sent = Sent::read(pairs.into());
        assert_eq!(sent.key, "k");
        assert_eq!(
            Value::from(sent.values(&fields)).to_canonical(),
            r#"{"b":false,"bad":"2,5oo","c":2,"i":"2026-09-01T10:00:00Z","m":[2,"3"],"n":2500.5,"t":"one\ntwo"}"#
        );
    }
}
