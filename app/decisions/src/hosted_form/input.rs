//! The input of the editor, and its conversion from and to the stored form.

mod question;

use contract::form::FormPatch;
use governance::deciding::form;
use page_kit::prelude::*;

pub(super) use self::question::QuestionForm;
use super::non_empty;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct FormEdit {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) decision_type: String,
    /// The access mode.
    pub(super) access: String,
    /// A new password; empty to keep the current one.
    pub(super) password: String,
    /// The number of submissions per window.
    pub(super) limit: String,
    pub(super) window: String,
    /// The name shown as requester; empty for the tenant's name.
    pub(super) asker: String,
    /// A description of the requester.
    pub(super) about: String,
    /// The message after a submission.
    pub(super) thanks: String,
    /// The language of the public pages.
    pub(super) language: String,
    /// The questions, one by one.
    pub(super) questions: Vec<QuestionForm>,
    /// The questions as JSON, if they are edited as JSON.
    pub(super) json: Option<String>,
    /// The digest of the stored form that the user has seen.
    pub(super) seen: String,
}

/// Unsaved input. It stays stored until it is saved or discarded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingFormEdit {
    /// The input, without values that must not be stored.
    pub(super) form: FormEdit,
    pub(super) errors: Vec<FieldError>,
    /// The index of the question that was changed last.
    pub(super) at: Option<usize>,
    /// Whether a password was entered. Passwords are not stored.
    pub(super) had_password: bool,
}

/// The action of a button of the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormAct {
    Save,
    Discard,
    /// Shows the questions as JSON.
    AsJson,
    /// Shows the questions one by one.
    OneByOne,
    /// Adds a question at the end.
    Add,
    /// Moves the question at this index up.
    Up(usize),
    /// Moves the question at this index down.
    Down(usize),
    /// Removes the question at this index.
    Remove(usize),
}

impl FormAct {
    /// Returns the value of the button.
    pub(super) fn word(self) -> String {
        match self {
            Self::Save => "save".to_owned(),
            Self::Discard => "discard".to_owned(),
            Self::AsJson => "json".to_owned(),
            Self::OneByOne => "questions".to_owned(),
            Self::Add => "add".to_owned(),
            Self::Up(index) => format!("up-{index}"),
            Self::Down(index) => format!("down-{index}"),
            Self::Remove(index) => format!("remove-{index}"),
        }
    }

    /// Parses the value of a button. An unknown value saves, like a form sent without a button.
    pub(super) fn of(word: &str) -> Self {
        let (name, index) = word.split_once('-').unwrap_or_default();
        match (word, name, index.parse()) {
            ("discard", ..) => Self::Discard,
            ("json", ..) => Self::AsJson,
            ("questions", ..) => Self::OneByOne,
            ("add", ..) => Self::Add,
            (_, "up", Ok(index)) => Self::Up(index),
            (_, "down", Ok(index)) => Self::Down(index),
            (_, "remove", Ok(index)) => Self::Remove(index),
            _ => Self::Save,
        }
    }

    /// Changes the questions. Returns the index of the question to show, or `None` without a change if the index is
    /// invalid.
    pub(super) fn apply(self, questions: &mut Vec<QuestionForm>) -> Option<usize> {
        let (from, to) = match self {
            Self::Add => {
                questions.push(QuestionForm::blank());
                return questions.len().checked_sub(1);
            }
            Self::Remove(index) => {
                questions.get(index)?;
                questions.remove(index);
                return Some(index.min(questions.len().checked_sub(1)?));
            }
            Self::Up(index) => (index, index.checked_sub(1)?),
            Self::Down(index) => (index, index.checked_add(1)?),
            Self::Save | Self::Discard | Self::AsJson | Self::OneByOne => return None,
        };
        questions.get(from.max(to))?;
        questions.swap(from, to);
        Some(to)
    }
}

impl FormEdit {
    /// Returns the stored values of a form with their digest.
    pub(super) fn stored(form: &Form) -> Result<Self, Problem> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Ok(Self {
            title: form.title.clone(),
            description: text(&form.description),
            decision_type: form.decision_type.clone(),
            access: form.access_mode.to_string(),
            limit: form.token_budget.limit.to_string(),
            window: form.token_budget.window.to_string(),
            asker: text(&form.branding.label),
            about: text(&form.branding.description),
            thanks: text(&form.success_message),
            language: form.language.to_string(),
            seen: form::digest(form)?,
            ..Self::from_form(&form.fields)
        })
    }

    /// Returns the questions one by one, or as JSON if the fields cannot represent one of them.
    fn from_form(fields: &[FormField]) -> Self {
        let questions: Option<Vec<_>> = fields.iter().map(QuestionForm::of).collect();
        let json = questions.is_none().then(|| {
            let fields = serde_json::to_string(fields).unwrap_or_default();
            json::indented(&serde_json::from_str(&fields).unwrap_or_default())
        });
        Self { questions: questions.unwrap_or_default(), json, ..Self::default() }
    }

    /// Returns the requested change. The edit form contains every member.
    ///
    /// # Errors
    /// Returns the errors, with paths of the wire members.
    pub(super) fn patch(&self) -> Result<FormPatch, Vec<FieldError>> {
        let limit = self.limit.trim().parse::<u32>().map_or(Value::Null, Value::from);
        let mut branding = Object::new();
        // A text area sends line breaks as `\r\n`.
        let normalized = |text: &str| non_empty(text).map(|text| text.replace("\r\n", "\n"));
        for (name, text) in [("label", &self.asker), ("description", &self.about)] {
            if let Some(text) = normalized(text) {
                branding.insert(name, text);
            }
        }
        let or_none = |text: &str| normalized(text).map_or(Value::Null, Value::from);
        let budget = Object::from([("limit", limit), ("window", self.window.as_str().into())]);
        let mut body = Object::from([
            ("title", self.title.trim().into()),
            ("description", or_none(&self.description)),
            ("decision_type", self.decision_type.trim().into()),
            ("access_mode", self.access.as_str().into()),
            ("token_budget", budget.into()),
            ("branding", branding.into()),
            ("success_message", or_none(&self.thanks)),
            ("language", self.language.as_str().into()),
        ]);
        if !self.password.is_empty() {
            body.insert("password", self.password.as_str());
        }
        self.read(body)
    }

    /// Returns the questions as the public page shows them.
    ///
    /// # Errors
    /// Returns the errors of the questions.
    pub(super) fn fields(&self) -> Result<Vec<FormField>, Vec<FieldError>> {
        Ok(self.read(Object::new())?.fields.unwrap_or_default())
    }

    /// Returns the questions that are valid on their own, even if others have errors.
    pub(super) fn sound_fields(&self) -> Vec<FormField> {
        let to_fields = |question: &QuestionForm| {
            let single = Self { questions: vec![question.clone()], ..Self::default() };
            single.fields().unwrap_or_default()
        };
        self.questions.iter().flat_map(to_fields).collect()
    }

    /// Parses `body` together with the questions.
    fn read(&self, mut body: Object) -> Result<FormPatch, Vec<FieldError>> {
        let mut errors = Vec::new();
        match self.tree() {
            Ok(questions) => drop(body.insert("fields", questions)),
            Err(error) => errors.push(error),
        }
        match read::body(&body.into()) {
            Ok(patch) if errors.is_empty() => return Ok(patch),
            Ok(_) => {}
            Err(more) => errors.extend(more),
        }
        Err(errors)
    }

    fn tree(&self) -> Result<Value, FieldError> {
        let Some(text) = &self.json else {
            return Ok(self.questions.iter().map(QuestionForm::value).collect());
        };
        Value::parse(text.as_bytes(), &Limits::REQUEST).map_err(|error| FieldError {
            path: "/fields".to_owned(),
            code: "format".to_owned(),
            message: format!("this is not JSON ({error})"),
        })
    }

    /// Returns the same form with the questions as JSON, including invalid values.
    #[must_use]
    pub(super) fn into_json(self) -> Self {
        let json = self.json.unwrap_or_else(|| {
            json::indented(&self.questions.iter().map(QuestionForm::value).collect())
        });
        Self { questions: Vec::new(), json: Some(json), ..self }
    }

    /// Returns the same form with the questions one by one, unless the fields cannot represent one of them.
    ///
    /// # Errors
    /// Returns the errors of the JSON: the fields can only represent valid questions.
    pub(super) fn one_by_one(&self) -> Result<Self, Vec<FieldError>> {
        if self.json.is_none() {
            return Ok(self.clone());
        }
        let Self { questions, json, .. } = Self::from_form(&self.fields()?);
        Ok(Self { questions, json, ..self.clone() })
    }

    /// Returns the input without values that must not be stored.
    #[must_use]
    pub(super) fn without_password(self) -> Self {
        Self { password: String::new(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use contract::read::FieldPatch;

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
            language: "auto".into(),
            questions: vec![question("a")],
            ..FormEdit::default()
        }
    }

    #[test]
    fn a_form_becomes_a_patch_with_the_entered_values() {
        let patch = edit().patch().unwrap();
        assert_eq!(patch.title.as_deref(), Some("Vendor request"));
        assert_eq!(patch.description, FieldPatch::Clear);
        assert_eq!(patch.fields.map(|fields| fields.len()), Some(1));
        assert_eq!((patch.password, patch.is_published), (FieldPatch::Keep, None));
    }

    #[test]
    fn all_errors_are_reported_together() {
        let questions = vec![question("a"), question("a"), question("")];
        let bad = FormEdit { limit: "many".into(), title: String::new(), questions, ..edit() };
        let paths: Vec<_> = bad.patch().unwrap_err().into_iter().map(|error| error.path).collect();
        let expected = ["/title", "/fields/2/name", "/fields/2/label", "/token_budget/limit"];
        assert_eq!(paths, expected);
        assert_eq!(bad.sound_fields().len(), 2);
        let bad = FormEdit { json: Some("[{".into()), title: String::new(), ..edit() };
        let paths: Vec<_> = bad.patch().unwrap_err().into_iter().map(|error| error.path).collect();
        assert_eq!(paths, ["/fields", "/title"]);
    }

    #[test]
    fn the_field_view_and_the_json_view_show_the_same_questions() {
        let both = FormEdit { questions: vec![question("a"), question("b")], ..edit() };
        let json = both.clone().into_json();
        assert_eq!(json.one_by_one(), Ok(both.clone()));
        assert_eq!(json.fields().unwrap(), both.fields().unwrap());
        // An invalid question is written to JSON unchanged. Converting back fails until it is valid.
        let bad = FormEdit { questions: vec![question("")], ..edit() }.into_json();
        assert_eq!(bad.one_by_one().unwrap_err()[0].path, "/fields/0/name");
        let no_field = r#"[{"name":" a","label":"A","type":"text"}]"#;
        let not_representable = FormEdit { json: Some(no_field.into()), ..edit() };
        assert!(not_representable.one_by_one().unwrap().json.is_some());
    }

    #[test]
    fn actions_round_trip_through_their_button_value() {
        for word in ["save", "discard", "json", "questions", "add", "up-3", "down-0", "remove-1"] {
            assert_eq!(FormAct::of(word).word(), word);
        }
        for word in ["", "up-x", "add-1", "json-1"] {
            assert_eq!(FormAct::of(word), FormAct::Save, "{word}");
        }
    }

    #[test]
    fn actions_add_move_and_remove_questions() {
        let mut questions = ["a", "b", "c"].map(question).to_vec();
        let mut press = |word: &str| {
            let shown_index = FormAct::of(word).apply(&mut questions);
            let names: Vec<_> = questions.iter().map(|question| question.name.as_str()).collect();
            (shown_index, names.concat())
        };
        assert_eq!(press("up-1"), (Some(0), "bac".into()));
        assert_eq!(press("down-1"), (Some(2), "bca".into()));
        assert_eq!(press("up-0"), (None, "bca".into()));
        assert_eq!(press("down-2"), (None, "bca".into()));
        assert_eq!(press("remove-7"), (None, "bca".into()));
        assert_eq!(press("remove-2"), (Some(1), "bc".into()));
        assert_eq!(press("add"), (Some(2), "bc".into()));
        let mut one = vec![QuestionForm::blank()];
        assert_eq!((FormAct::Remove(0).apply(&mut one), one.len()), (None, 0));
    }
}
