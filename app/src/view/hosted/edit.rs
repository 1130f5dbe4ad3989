//! The members of a form while somebody changes them.

use contract::{
    error::FieldError,
    form::{Form, FormField, FormPatch},
    json::{Limits, Object, Value},
    read,
};
use serde::{Deserialize, Serialize};

use super::{
    given,
    question::{QuestionChange, QuestionForm},
};
use crate::text::{json, words};

/// The members of a form, as they were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormEdit {
    /// What people call it.
    pub title: String,
    /// What it is for.
    pub description: String,
    /// What kind of decision a submission asks for.
    pub decision_type: String,
    /// What it asks of whoever submits.
    pub access: String,
    /// A new password; empty to leave it.
    pub password: String,
    /// How many submissions it takes.
    pub limit: String,
    /// In which window.
    pub window: String,
    /// Who asks; empty for the tenant's name.
    pub asker: String,
    /// A sentence about who asks.
    pub about: String,
    /// What is said after a submission.
    pub thanks: String,
    /// The questions, one by one.
    pub questions: Vec<QuestionForm>,
    /// The questions as JSON, where they are written so.
    pub json: Option<String>,
}

/// What was typed and is not saved. It stays until it is saved or given up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsaved {
    /// What was typed, without what must not be kept.
    pub form: FormEdit,
    /// What is wrong with it, value by value.
    pub faults: Vec<FieldError>,
    /// The question that was changed last.
    pub at: Option<u32>,
    /// Whether a password was typed, which is not kept.
    pub had_password: bool,
}

/// What a button of the form asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormAct {
    /// To keep what was typed.
    Save,
    /// To forget what was typed.
    Discard,
    /// To see the questions as JSON.
    AsJson,
    /// To see the questions one by one.
    OneByOne,
    /// To have other questions, or another order of them.
    Change(QuestionChange),
}

impl FormAct {
    /// The word of the button.
    pub fn word(self) -> String {
        match self {
            Self::Save => "save".to_owned(),
            Self::Discard => "discard".to_owned(),
            Self::AsJson => "json".to_owned(),
            Self::OneByOne => "questions".to_owned(),
            Self::Change(change) => change.word(),
        }
    }

    /// What a button asks for; a word that is none saves, as a form without a button does.
    pub fn of(word: &str) -> Self {
        match word {
            "discard" => Self::Discard,
            "json" => Self::AsJson,
            "questions" => Self::OneByOne,
            word => QuestionChange::of(word).map_or(Self::Save, Self::Change),
        }
    }
}

impl From<&Form> for FormEdit {
    fn from(form: &Form) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            title: form.title.clone(),
            description: text(&form.description),
            decision_type: form.decision_type.clone(),
            access: form.access_mode.to_string(),
            password: String::new(),
            limit: form.token_budget.limit.to_string(),
            window: form.token_budget.window.to_string(),
            asker: text(&form.branding.label),
            about: text(&form.branding.description),
            thanks: text(&form.success_message),
            ..Self::asking(&form.fields)
        }
    }
}

impl FormEdit {
    /// The questions one by one, or as JSON when one of them holds what no field can show.
    fn asking(fields: &[FormField]) -> Self {
        let questions: Option<Vec<_>> = fields.iter().map(QuestionForm::of).collect();
        let json = questions.is_none().then(|| {
            let fields = serde_json::to_string(fields).unwrap_or_default();
            json::indented(&serde_json::from_str(&fields).unwrap_or_default())
        });
        Self { questions: questions.unwrap_or_default(), json, ..Self::default() }
    }

    /// The change that is asked for: the form of changes names every member.
    ///
    /// # Errors
    /// All that is wrong, by the members of the wire.
    pub fn patch(&self) -> Result<FormPatch, Vec<FieldError>> {
        let limit = self.limit.trim().parse::<u32>().map_or(Value::Null, Value::from);
        let mut branding = Object::new();
        // A text area sends its line breaks as the web does.
        let broken = |text: &str| given(text).map(|text| text.replace("\r\n", "\n"));
        for (name, text) in [("label", &self.asker), ("description", &self.about)] {
            if let Some(text) = broken(text) {
                branding.insert(name, text);
            }
        }
        let or_none = |text: &str| broken(text).map_or(Value::Null, Value::from);
        let budget = Object::from([("limit", limit), ("window", self.window.as_str().into())]);
        let mut body = Object::from([
            ("title", self.title.trim().into()),
            ("description", or_none(&self.description)),
            ("decision_type", self.decision_type.trim().into()),
            ("access_mode", self.access.as_str().into()),
            ("token_budget", budget.into()),
            ("branding", branding.into()),
            ("success_message", or_none(&self.thanks)),
        ]);
        if !self.password.is_empty() {
            body.insert("password", self.password.as_str());
        }
        self.read(body)
    }

    /// The questions as the public will read them.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn fields(&self) -> Result<Vec<FormField>, Vec<FieldError>> {
        Ok(self.read(Object::new())?.fields.unwrap_or_default())
    }

    /// Those questions that can be shown as they are, whatever the others say.
    pub fn sound_fields(&self) -> Vec<FormField> {
        let alone = |question: &QuestionForm| {
            let alone = Self { questions: vec![question.clone()], ..Self::default() };
            alone.fields().unwrap_or_default()
        };
        self.questions.iter().flat_map(alone).collect()
    }

    /// Reads `body` together with the questions.
    fn read(&self, mut body: Object) -> Result<FormPatch, Vec<FieldError>> {
        let mut faults = Vec::new();
        match self.tree() {
            Ok(questions) => drop(body.insert("fields", questions)),
            Err(fault) => faults.push(fault),
        }
        match read::body(&body.into()) {
            Ok(patch) if faults.is_empty() => return Ok(patch),
            Ok(_) => {}
            Err(more) => faults.extend(more),
        }
        Err(faults)
    }

    fn tree(&self) -> Result<Value, FieldError> {
        let Some(text) = &self.json else {
            return Ok(self.questions.iter().map(QuestionForm::value).collect());
        };
        Value::parse(text.as_bytes(), &Limits::REQUEST).map_err(|fault| FieldError {
            path: "/fields".to_owned(),
            code: "format".to_owned(),
            message: words::hosted::no_json(&fault.to_string()),
        })
    }

    /// The same with the questions as JSON, faults and all.
    #[must_use]
    pub fn as_json(self) -> Self {
        let json = self.json.unwrap_or_else(|| {
            json::indented(&self.questions.iter().map(QuestionForm::value).collect())
        });
        Self { questions: Vec::new(), json: Some(json), ..self }
    }

    /// The same with the questions one by one, unless one holds what no field can show.
    ///
    /// # Errors
    /// What is wrong with the JSON: fields show only what the service could keep.
    pub fn one_by_one(&self) -> Result<Self, Vec<FieldError>> {
        if self.json.is_none() {
            return Ok(self.clone());
        }
        let Self { questions, json, .. } = Self::asking(&self.fields()?);
        Ok(Self { questions, json, ..self.clone() })
    }

    /// What was typed, without what must not be kept.
    #[must_use]
    pub fn kept(self) -> Self {
        Self { password: String::new(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use contract::read::Change;

    use super::*;

    fn question(name: &str) -> QuestionForm {
        QuestionForm { name: name.into(), label: name.to_uppercase(), ..QuestionForm::blank() }
    }

    fn edit() -> FormEdit {
        FormEdit {
            title: " Vendor request ".into(),
            decision_type: "payment".into(),
            access: "open".into(),
            limit: "10".into(),
            window: "day".into(),
            questions: vec![question("a")],
            ..FormEdit::default()
        }
    }

    #[test]
    fn a_form_asks_for_exactly_what_was_typed() {
        let patch = edit().patch().unwrap();
        assert_eq!(patch.title.as_deref(), Some("Vendor request"));
        assert_eq!(patch.description, Change::Clear);
        assert_eq!(patch.fields.map(|fields| fields.len()), Some(1));
        assert_eq!((patch.password, patch.is_published), (contract::read::Change::Keep, None));
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once() {
        let questions = vec![question("a"), question("a"), question("")];
        let bad = FormEdit { limit: "many".into(), title: String::new(), questions, ..edit() };
        let paths: Vec<_> = bad.patch().unwrap_err().into_iter().map(|fault| fault.path).collect();
        let expected = ["/title", "/fields/2/name", "/fields/2/label", "/token_budget/limit"];
        assert_eq!(paths, expected);
        assert_eq!(bad.sound_fields().len(), 2);
        let bad = FormEdit { json: Some("[{".into()), title: String::new(), ..edit() };
        let paths: Vec<_> = bad.patch().unwrap_err().into_iter().map(|fault| fault.path).collect();
        assert_eq!(paths, ["/fields", "/title"]);
    }

    #[test]
    fn the_two_looks_show_the_same_questions() {
        let both = FormEdit { questions: vec![question("a"), question("b")], ..edit() };
        let json = both.clone().as_json();
        assert_eq!(json.one_by_one(), Ok(both.clone()));
        assert_eq!(json.fields().unwrap(), both.fields().unwrap());
        // What is not right yet is written out as it is, and does not go back before it is.
        let bad = FormEdit { questions: vec![question("")], ..edit() }.as_json();
        assert_eq!(bad.one_by_one().unwrap_err()[0].path, "/fields/0/name");
        let no_field = r#"[{"name":" a","label":"A","type":"text"}]"#;
        let stays = FormEdit { json: Some(no_field.into()), ..edit() };
        assert!(stays.one_by_one().unwrap().json.is_some());
    }

    #[test]
    fn a_button_says_what_it_asks_for() {
        for act in [
            FormAct::Save,
            FormAct::Discard,
            FormAct::AsJson,
            FormAct::OneByOne,
            FormAct::Change(QuestionChange::Up(3)),
        ] {
            assert_eq!(FormAct::of(&act.word()), act);
        }
        assert_eq!((FormAct::of(""), FormAct::of("up-x")), (FormAct::Save, FormAct::Save));
    }
}
