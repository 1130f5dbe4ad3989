//! A question of a form as the fields of a form, and back.

use contract::{
    form::{FieldType, FormField},
    json::{Limits, Object, Value},
};
use serde::{Deserialize, Serialize};

use crate::text::lines;

/// What a ticked box says.
pub const TICKED: &str = "yes";

/// One question: what was typed, in the fields' own words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct QuestionForm {
    /// What is asked.
    pub label: String,
    /// The field that takes the answer.
    pub name: String,
    /// The word of its type.
    pub kind: String,
    /// Ticked: it must be answered.
    pub required: Option<String>,
    /// A hint beside it.
    pub help: String,
    /// An example inside the empty field.
    pub placeholder: String,
    /// Its options, one a line: `value | label`.
    pub options: String,
    /// The least number.
    pub min: String,
    /// The greatest number.
    pub max: String,
    /// The least length.
    pub min_length: String,
    /// The greatest length.
    pub max_length: String,
    /// What a text must match.
    pub pattern: String,
}

impl QuestionForm {
    /// A new question.
    pub fn blank() -> Self {
        Self { kind: FieldType::Text.to_string(), ..Self::default() }
    }

    /// The form of a question; `None` when it holds what no field can show.
    pub fn of(question: &FormField) -> Option<Self> {
        let form = Self::show(question);
        let is_same = form.value() == plain(question);
        // A field of one line drops the breaks of what is put into it.
        let texts = [&form.label, &form.name, &form.placeholder, &form.pattern];
        let breaks = texts.iter().any(|text| text.contains(['\r', '\n']));
        (is_same && !breaks).then_some(form)
    }

    fn show(question: &FormField) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let number = |number: Option<Value>| number.as_ref().map_or(String::new(), typed);
        let options = question.choices().iter();
        let options = options.map(|option| format!("{} | {}", typed(&option.value), option.label));
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

    /// The question that was typed, with the members of its type. Whether it is a good one is for the
    /// service to say.
    pub fn value(&self) -> Value {
        let mut question = Object::from([
            ("name", self.name.trim().into()),
            ("label", self.label.as_str().into()),
            ("type", self.kind.as_str().into()),
        ]);
        if self.required.is_some() {
            question.insert("required", true);
        }
        // A text area sends its line breaks as the web does.
        let help = self.help.replace("\r\n", "\n");
        let kind = self.kind.parse::<FieldType>().ok();
        let is_text = kind.is_some_and(FieldType::is_text);
        for (name, text, is_fit) in [
            ("help", help.trim(), true),
            ("placeholder", &*self.placeholder, true),
            ("pattern", &*self.pattern, is_text),
        ] {
            if is_fit && !text.is_empty() {
                question.insert(name, text);
            }
        }
        let is_number = kind == Some(FieldType::Number);
        for (name, text, is_fit) in [
            ("min", &self.min, is_number),
            ("max", &self.max, is_number),
            ("min_length", &self.min_length, is_text),
            ("max_length", &self.max_length, is_text),
        ] {
            if is_fit && !text.trim().is_empty() {
                question.insert(name, number(text.trim()));
            }
        }
        let mut options = lines(&self.options).map(option).peekable();
        if kind.is_some_and(FieldType::has_options) && options.peek().is_some() {
            question.insert("options", options.collect::<Vec<_>>());
        }
        question.into()
    }
}

/// A question as JSON, without members that say what their absence says.
fn plain(question: &FormField) -> Value {
    let mut plain = question.clone();
    plain.required = question.required.filter(|required| *required);
    for text in [&mut plain.help, &mut plain.placeholder] {
        *text = text.take().filter(|text| !text.is_empty());
    }
    let text = serde_json::to_string(&plain).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// A number, or the text that is none.
fn number(text: &str) -> Value {
    match bare(text) {
        number @ Value::Number(_) => number,
        _ => Value::from(text),
    }
}

/// What a text without quotes says: a number or a truth value when it reads as one.
fn bare(text: &str) -> Value {
    match Value::parse(text.as_bytes(), &Limits::REQUEST) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
        _ => Value::from(text),
    }
}

/// How the value of an option is typed: a text that would be read otherwise stands in quotes.
fn typed(value: &Value) -> String {
    let Some(text) = value.as_str() else { return value.to_canonical() };
    let is_plain = bare(text) == *value
        && text.trim() == text
        && !text.starts_with('"')
        && !text.contains(['|', '\r', '\n']);
    if is_plain { text.to_owned() } else { value.to_canonical() }
}

/// The option of a line. A line without a label is its own.
fn option(line: &str) -> Value {
    let (value, label) = quoted(line).unwrap_or_else(|| {
        let (value, label) = line.split_once('|').map_or((line, None), |(a, b)| (a, Some(b)));
        (bare(value.trim()), label)
    });
    let label = match (label, value.as_str()) {
        (Some(label), _) => label.trim().to_owned(),
        (None, Some(text)) => text.to_owned(),
        (None, None) => value.to_canonical(),
    };
    Object::from([("value", value), ("label", label.into())]).into()
}

/// A text in quotes at the start of a line, and the label after it.
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

/// A change of the questions that a button asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionChange {
    /// One more at the end.
    Add,
    /// The question at this place goes before the one above it.
    Up(u32),
    /// The question at this place goes behind the one below it.
    Down(u32),
    /// The question at this place goes.
    Remove(u32),
}

impl QuestionChange {
    /// The word of the button.
    pub fn word(self) -> String {
        match self {
            Self::Add => "add".to_owned(),
            Self::Up(place) => format!("up-{place}"),
            Self::Down(place) => format!("down-{place}"),
            Self::Remove(place) => format!("remove-{place}"),
        }
    }

    /// What a button asks for.
    pub fn of(word: &str) -> Option<Self> {
        if word == "add" {
            return Some(Self::Add);
        }
        let (what, place) = word.split_once('-')?;
        let place = place.parse().ok()?;
        match what {
            "up" => Some(Self::Up(place)),
            "down" => Some(Self::Down(place)),
            "remove" => Some(Self::Remove(place)),
            _ => None,
        }
    }

    /// Changes the questions, and says which one to look at then. A place that is none changes nothing.
    pub fn apply(self, questions: &mut Vec<QuestionForm>) -> Option<u32> {
        let (from, to) = match self {
            Self::Add => {
                questions.push(QuestionForm::blank());
                return u32::try_from(questions.len() - 1).ok();
            }
            Self::Remove(place) => {
                let index = index(place, questions)?;
                questions.remove(index);
                let last = u32::try_from(questions.len()).ok()?.checked_sub(1)?;
                return Some(place.min(last));
            }
            Self::Up(place) => (place, place.checked_sub(1)?),
            Self::Down(place) => (place, place.checked_add(1)?),
        };
        let (from, to_index) = (index(from, questions)?, index(to, questions)?);
        questions.swap(from, to_index);
        Some(to)
    }
}

fn index(place: u32, questions: &[QuestionForm]) -> Option<usize> {
    usize::try_from(place).ok().filter(|index| *index < questions.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(json: &str) -> FormField {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn every_question_comes_back_as_it_was() {
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
            assert_eq!(form.value(), plain(&stored), "{json}");
        }
    }

    #[test]
    fn what_no_field_can_show_has_no_form() {
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
    fn an_option_is_a_line() {
        for (line, expected) in [
            ("GBP | Pound", r#"{"label":"Pound","value":"GBP"}"#),
            ("GBP", r#"{"label":"GBP","value":"GBP"}"#),
            ("5", r#"{"label":"5","value":5}"#),
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
    fn what_was_typed_for_another_type_is_kept_and_not_asked_for() {
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

    #[test]
    fn a_button_changes_the_questions() {
        let named = |name: &str| QuestionForm { name: name.into(), ..QuestionForm::default() };
        let mut questions = ["a", "b", "c"].map(named).to_vec();
        let mut press = |word: &str| {
            let change = QuestionChange::of(word).unwrap();
            assert_eq!(change.word(), word);
            let at = change.apply(&mut questions);
            let names: Vec<_> = questions.iter().map(|question| question.name.as_str()).collect();
            (at, names.concat())
        };
        assert_eq!(press("up-1"), (Some(0), "bac".into()));
        assert_eq!(press("down-1"), (Some(2), "bca".into()));
        assert_eq!(press("up-0"), (None, "bca".into()));
        assert_eq!(press("down-2"), (None, "bca".into()));
        assert_eq!(press("remove-7"), (None, "bca".into()));
        assert_eq!(press("remove-2"), (Some(1), "bc".into()));
        assert_eq!(press("add"), (Some(2), "bc".into()));
        assert_eq!(QuestionChange::of("save"), None);
        assert_eq!(QuestionChange::of("up-4294967296"), None);
        let mut one = vec![QuestionForm::blank()];
        assert_eq!((QuestionChange::Remove(0).apply(&mut one), one.len()), (None, 0));
    }
}
