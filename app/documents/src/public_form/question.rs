//! A question of a form: its label, hint, error and control.

use page_kit::prelude::*;

use super::{
    number::{self, NumberReading},
    texts::Texts,
};

/// The prefix of question names, which separates them from other fields of the page.
pub const PREFIX: &str = "a:";

/// The prefix of the chosen reading of a number.
pub const CHOICE_PREFIX: &str = "n:";

/// The name of the field with the idempotency key.
pub const KEY: &str = "key";

/// The answers of a page, as text.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The idempotency key of the page.
    pub key: String,
    /// The name of a question and an answer to it.
    pub values: Vec<(String, String)>,
}

impl Answers {
    /// Returns the answers to a question.
    pub(super) fn of(&self, question: &str) -> Vec<String> {
        let values = self.values.iter().filter(|(name, _)| name == question);
        values.map(|(_, value)| value.clone()).collect()
    }
}

/// A question with its answers. A question with one answer uses the first.
pub(super) struct Question {
    pub(super) texts: &'static Texts,
    /// The position in the form.
    pub(super) index: usize,
    pub(super) field: FormField,
    /// Why the answer is rejected.
    pub(super) error: Option<String>,
    pub(super) answers: Vec<String>,
}

/// Returns the ID of the first control of a question, for links.
pub(super) fn control_id(index: usize) -> String {
    format!("q{index}")
}

impl Question {
    pub(super) fn render(self) -> AnyView {
        match self.field.kind {
            FieldType::Boolean => self.radio_buttons(),
            FieldType::Multiselect => self.checkboxes(),
            FieldType::Select => self.with_label(self.select()),
            FieldType::Textarea => self.with_label(self.textarea()),
            FieldType::Number => self.with_label(self.number()),
            _ => self.with_label(self.input()),
        }
    }

    /// Renders the control of a number, and its readings if a rejected answer has two.
    fn number(&self) -> AnyView {
        let decimal = self.texts.decimal;
        let reading = number::read(&self.answer(), decimal);
        let (NumberReading::Two(readings), Some(_)) = (reading, &self.error) else {
            return self.input();
        };
        let name = format!("{CHOICE_PREFIX}{}", self.field.name);
        let choice = |(position, reading): (usize, Number)| {
            view! {
                <label class="checkbox">
                    <input
                        id=format!("n{}-{position}", self.index)
                        type="radio"
                        name=name.clone()
                        value=reading.to_string()
                        aria-describedby=self.described_by()
                    />
                    <span>{number::write(reading, decimal)}</span>
                </label>
            }
        };
        any_view! {
            {self.input()}
            <fieldset class="bare field">
                <legend>{self.texts.which_number}</legend>
                {readings.into_iter().enumerate().map(choice).collect_view()}
            </fieldset>
        }
    }

    fn id(&self) -> String {
        control_id(self.index)
    }

    /// Returns the name of the controls.
    fn name(&self) -> String {
        format!("{PREFIX}{}", self.field.name)
    }

    fn answer(&self) -> String {
        self.answers.first().cloned().unwrap_or_default()
    }

    /// Returns the value of `aria-invalid`.
    fn invalid(&self) -> Option<&'static str> {
        self.error.is_some().then_some("true")
    }

    /// Returns the help text, with the time zone of a time.
    fn hint(&self) -> Option<String> {
        let utc = (self.field.kind == FieldType::Datetime).then_some(self.texts.utc);
        let parts: Vec<&str> = self.field.help.as_deref().into_iter().chain(utc).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Returns the value of `aria-describedby`.
    fn described_by(&self) -> Option<String> {
        let hint = self.hint().map(|_| format!("h{}", self.index));
        let error = self.error.as_ref().map(|_| format!("e{}", self.index));
        let ids: Vec<String> = hint.into_iter().chain(error).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }

    fn label(&self) -> AnyView {
        let mark = view! { <span class="text-muted">{self.texts.required}</span> };
        let mark = self.field.is_required().then_some((" ", mark));
        (bdi(&self.field.label), mark).into_any()
    }

    /// Renders the hint and the error.
    fn descriptions(&self) -> AnyView {
        let index = self.index;
        let hint = self.hint().map(|hint| {
            view! {
                <small id=format!("h{index}") class="text-muted">
                    {bdi(&hint)}
                </small>
            }
        });
        let error = self.error.clone().map(|error| {
            view! {
                <p id=format!("e{index}") class="field-error">
                    {icon(Icon::Warn)}
                    {error}
                </p>
            }
        });
        (hint, error).into_any()
    }

    fn with_label(&self, control: AnyView) -> AnyView {
        any_view! {
            <div class="field">
                <label for=self.id()>{self.label()}</label>
                {self.descriptions()}
                {control}
            </div>
        }
    }

    fn input(&self) -> AnyView {
        let (kind, mode, step, autocomplete) = match self.field.kind {
            // A text field preserves any input, including invalid numbers.
            FieldType::Number => ("text", Some("decimal"), None, None),
            FieldType::Date => ("date", None, None, None),
            FieldType::Datetime => ("datetime-local", None, Some("1"), None),
            FieldType::Email => ("email", None, None, Some("email")),
            FieldType::Url => ("url", None, None, None),
            _ => ("text", None, None, None),
        };
        any_view! {
            <input
                type=kind
                inputmode=mode
                step=step
                autocomplete=autocomplete
                id=self.id()
                name=self.name()
                required=self.field.is_required()
                aria-describedby=self.described_by()
                aria-invalid=self.invalid()
                placeholder=self.field.placeholder.clone()
                value=self.answer()
            />
        }
    }

    fn textarea(&self) -> AnyView {
        any_view! {
            <textarea
                rows="5"
                id=self.id()
                name=self.name()
                required=self.field.is_required()
                aria-describedby=self.described_by()
                aria-invalid=self.invalid()
                placeholder=self.field.placeholder.clone()
            >
                // Browsers drop the first line break of a text area.
                {between_tags(format!("\n{}", self.answer()))}
            </textarea>
        }
    }

    fn select(&self) -> AnyView {
        any_view! {
            <select
                id=self.id()
                name=self.name()
                required=self.field.is_required()
                aria-describedby=self.described_by()
                aria-invalid=self.invalid()
            >
                <option value="">{self.texts.choose}</option>
                {options(self.options(), &self.answer())}
            </select>
        }
    }

    /// Renders a yes and a no radio button. The group is marked as required and invalid.
    fn radio_buttons(&self) -> AnyView {
        let choices = [("true".to_owned(), self.texts.yes), ("false".to_owned(), self.texts.no)];
        self.group(Some("radiogroup"), self.choices("radio", None, choices))
    }

    /// Renders check boxes, each of which is marked as invalid.
    fn checkboxes(&self) -> AnyView {
        self.group(None, self.choices("checkbox", self.invalid(), self.options()))
    }

    /// Returns the value and the label of each option.
    fn options(&self) -> impl Iterator<Item = (String, &str)> {
        self.field.options_or_empty().iter().map(|own| (own.form_value(), own.label.as_str()))
    }

    fn group(&self, role: Option<&'static str>, choices: Vec<AnyView>) -> AnyView {
        let is_required = role.is_some() && self.field.is_required();
        any_view! {
            <fieldset
                class="bare field"
                role=role
                aria-required=is_required.then_some("true")
                aria-invalid=role.and(self.invalid())
                aria-describedby=self.described_by()
            >
                <legend>{self.label()}</legend>
                {self.descriptions()}
                {choices}
            </fieldset>
        }
    }

    fn choices<'a>(
        &self,
        kind: &'static str,
        invalid: Option<&'static str>,
        choices: impl IntoIterator<Item = (String, &'a str)>,
    ) -> Vec<AnyView> {
        let choice = |(position, (value, label)): (usize, (String, &str))| {
            let id = self.id();
            let id = if position == 0 { id } else { format!("{id}-{position}") };
            let is_checked = self.answers.contains(&value);
            any_view! {
                <label class="checkbox">
                    <input
                        id=id
                        type=kind
                        name=self.name()
                        value=value
                        checked=is_checked
                        aria-invalid=invalid
                    />
                    <span>{bdi(label)}</span>
                </label>
            }
        };
        choices.into_iter().enumerate().map(choice).collect()
    }
}
