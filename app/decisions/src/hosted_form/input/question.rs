//! A question as input of the editor, and its conversion from and to the stored question.

use page_kit::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct QuestionForm {
    /// The text of the question.
    pub(crate) label: String,
    /// The name of the field that stores the answer.
    pub(crate) name: String,
    /// The field type, as on the wire.
    pub(crate) kind: String,
    /// Present if an answer is required.
    pub(crate) required: Option<String>,
    pub(crate) help: String,
    pub(crate) placeholder: String,
    /// The options, one per line: `value | label`.
    pub(crate) options: String,
    /// The minimum of a number.
    pub(crate) min: String,
    /// The maximum of a number.
    pub(crate) max: String,
    pub(crate) min_length: String,
    pub(crate) max_length: String,
    /// The pattern that a text must match.
    pub(crate) pattern: String,
}

impl QuestionForm {
    /// Returns a new question.
    pub(crate) fn blank() -> Self {
        Self { kind: FieldType::Text.to_string(), ..Self::default() }
    }

    /// Converts a stored question to a form; returns `None` if the question contains something that the
    /// fields cannot represent.
    pub(crate) fn of(question: &FormField) -> Option<Self> {
        let form = Self::show(question);
        let is_same = form.value() == without_defaults(question);
        // A single-line field removes line breaks from its value.
        let texts = [&form.label, &form.name, &form.placeholder, &form.pattern];
        let breaks = texts.iter().any(|text| text.contains(['\r', '\n']));
        (is_same && !breaks).then_some(form)
    }

    fn show(question: &FormField) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let number = |number: Option<Value>| number.as_ref().map_or(String::new(), to_input);
        let options = question.options_or_empty().iter();
        let options =
            options.map(|option| format!("{} | {}", to_input(&option.value), option.label));
        Self {
            label: question.label.clone(),
            name: question.name.clone(),
            kind: question.kind.to_string(),
            required: question.is_required().then(|| TICKED.to_owned()),
            help: text(&question.help),
            placeholder: text(&question.placeholder),
            options: options.collect::<Vec<_>>().join("\n"),
            min: number(question.min.map(Value::from)),
            max: number(question.max.map(Value::from)),
            min_length: number(question.min_length.map(Value::from)),
            max_length: number(question.max_length.map(Value::from)),
            pattern: text(&question.pattern),
        }
    }

    /// Converts the form to a question with the members of its type. The service validates it.
    pub(crate) fn value(&self) -> Value {
        let mut question = Object::from([
            ("name", self.name.trim().into()),
            ("label", self.label.as_str().into()),
            ("type", self.kind.as_str().into()),
        ]);
        if self.required.is_some() {
            question.insert("required", true);
        }
        // A text area sends line breaks as `\r\n`.
        let help = self.help.replace("\r\n", "\n");
        let kind = self.kind.parse::<FieldType>().ok();
        let (is_text, is_number) =
            (kind.is_some_and(FieldType::is_text), kind == Some(FieldType::Number));
        for (name, value, applies) in [
            ("help", help.trim().into(), true),
            ("placeholder", self.placeholder.as_str().into(), true),
            ("pattern", self.pattern.as_str().into(), is_text),
            ("min", number(&self.min), is_number),
            ("max", number(&self.max), is_number),
            ("min_length", number(&self.min_length), is_text),
            ("max_length", number(&self.max_length), is_text),
        ] {
            if applies && value.as_str() != Some("") {
                question.insert(name, value);
            }
        }
        let mut options = lines(&self.options).map(option).peekable();
        if kind.is_some_and(FieldType::has_options) && options.peek().is_some() {
            question.insert("options", options.collect::<Vec<_>>());
        }
        question.into()
    }
}

/// Returns a question as JSON, without members whose value is the default.
fn without_defaults(question: &FormField) -> Value {
    let mut copy = question.clone();
    copy.required = question.required.filter(|required| *required);
    for text in [&mut copy.help, &mut copy.placeholder] {
        *text = text.take().filter(|text| !text.is_empty());
    }
    let text = serde_json::to_string(&copy).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Parses a number; other input becomes a string.
fn number(text: &str) -> Value {
    match bare(text.trim()) {
        number @ Value::Number(_) => number,
        _ => Value::from(text.trim()),
    }
}

/// Parses unquoted text: a number or a boolean if it reads as one, else a string.
fn bare(text: &str) -> Value {
    match Value::parse(text.as_bytes(), &Limits::REQUEST) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
        _ => Value::from(text),
    }
}

/// Returns the input text for the value of an option. A string that would be parsed as another value is
/// quoted.
fn to_input(value: &Value) -> String {
    let Some(text) = value.as_str() else { return value.to_canonical() };
    let is_unquoted = bare(text) == *value
        && text.trim() == text
        && !text.starts_with('"')
        && !text.contains(['|', '\r', '\n']);
    if is_unquoted { text.to_owned() } else { value.to_canonical() }
}

/// Parses the option of a line. A line without a label uses its value as label.
fn option(line: &str) -> Value {
    let (value, label) = quoted(line).unwrap_or_else(|| {
        let (value, label) = line.split_once('|').map_or((line, None), |(a, b)| (a, Some(b)));
        (bare(value.trim()), label)
    });
    let label = match (label, value.as_str()) {
        (Some(label), _) => label.trim().to_owned(),
        (None, Some(text)) => text.to_owned(),
        // A number is shown as it was typed: `12.50`.
        (None, None) => line.trim().to_owned(),
    };
    Object::from([("value", value), ("label", label.into())]).into()
}

/// Parses a quoted string at the start of a line, and the label after it.
fn quoted(line: &str) -> Option<(Value, Option<&str>)> {
    let inner = line.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = inner.find(|letter| {
        let is_end = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        is_end
    })?;
    let (text, rest) = line.split_at(end + 2);
    let value = Value::parse(text.as_bytes(), &Limits::REQUEST).ok()?;
    let rest = rest.trim();
    if rest.is_empty() { Some((value, None)) } else { Some((value, Some(rest.strip_prefix('|')?))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(json: &str) -> FormField {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn questions_survive_the_conversion_to_a_form_and_back() {
        for json in [
            r#"{"name":"a","label":"A","type":"text"}"#,
            r#"{"name":"a","label":" \"A\" | b","type":"email","required":true,"help":"one\ntwo",
                "placeholder":" x ","min_length":0,"max_length":9,"pattern":" ^a|b$ "}"#,
            r#"{"name":"a.b","label":"A","type":"number","min":-0.5,"max":1000000}"#,
            r#"{"name":"a","label":"A","type":"boolean"}"#,
            r#"{"name":"a","label":"A","type":"select","options":[
                {"value":"new","label":"Brand new | almost"},{"value":1,"label":"One"},
                {"value":"2","label":"Two"},{"value":true,"label":"Yes"},{"value":"false","label":"No"},
                {"value":"a|b\n\"c\\","label":"c"},{"value":" d","label":"|"},{"value":"\"e","label":"e"}
            ]}"#,
        ] {
            let stored = question(json);
            let form = QuestionForm::of(&stored).unwrap_or_else(|| panic!("{json} is not shown"));
            assert_eq!(form.value(), without_defaults(&stored), "{json}");
        }
    }

    #[test]
    fn questions_that_fields_cannot_represent_have_no_form() {
        for json in [
            r#"{"name":" a","label":"A","type":"text"}"#,
            r#"{"name":"a","label":"A\nB","type":"text"}"#,
            r#"{"name":"a","label":"A","type":"text","help":"\nlate"}"#,
            r#"{"name":"a","label":"A","type":"select","options":[{"value":"a","label":" spaced"}]}"#,
        ] {
            assert_eq!(QuestionForm::of(&question(json)), None, "{json}");
        }
    }

    #[test]
    fn an_option_is_parsed_from_a_line() {
        for (line, expected) in [
            ("GBP | Pound", r#"{"label":"Pound","value":"GBP"}"#),
            ("GBP", r#"{"label":"GBP","value":"GBP"}"#),
            ("5", r#"{"label":"5","value":5}"#),
            (" 12.50 ", r#"{"label":"12.50","value":12.5}"#),
            (r#""5" | Five"#, r#"{"label":"Five","value":"5"}"#),
            (r#""a | b""#, r#"{"label":"a | b","value":"a | b"}"#),
            ("true|Yes|No", r#"{"label":"Yes|No","value":true}"#),
            ("a |", r#"{"label":"","value":"a"}"#),
            (r#""open | x"#, r#"{"label":"x","value":"\"open"}"#),
            (r#""a" b | x"#, r#"{"label":"x","value":"\"a\" b"}"#),
        ] {
            assert_eq!(option(line).to_canonical(), expected, "{line}");
        }
    }

    #[test]
    fn input_for_another_field_type_is_preserved_but_not_submitted() {
        let form = QuestionForm {
            kind: "number".into(),
            min: "few".into(),
            options: "a | A".into(),
            pattern: "x".into(),
            ..QuestionForm::default()
        };
        assert_eq!(
            form.value().to_canonical(),
            r#"{"label":"","min":"few","name":"","type":"number"}"#
        );
    }
}
