//! `/f/{form}`: the questions of a form, with posted answers and a notice.

use contract::read::JsonPath;
use page_kit::prelude::*;

use super::{
    document::{Document, alert, correlation_id, requester},
    question::{Answers, KEY, Question, control_id},
    texts::{Texts, fill},
};

/// The notice above the form.
#[derive(Clone, Debug)]
pub enum FormNotice {
    Nothing,
    /// Some answers are invalid.
    Errors(Vec<FieldError>),
    /// The idempotency key of the page was used for other answers.
    AlreadySubmitted,
    /// No active policy evaluates the answers any more. They are preserved.
    Closed,
    /// The form accepts no submissions: its budget is used up, or no active policy decides. The questions are not
    /// displayed.
    NotAccepting {
        message: &'static str,
        /// The number of seconds until the budget is refilled, if it is.
        seconds: Option<u32>,
    },
    /// Too many submissions, or a temporary error.
    Wait {
        message: String,
        /// The number of seconds to wait, if known.
        seconds: Option<u32>,
    },
}

/// The page of a form.
#[derive(Clone, Debug)]
pub struct FormPage {
    pub form: Form,
    /// The organization that requests the answers.
    pub requested_by: String,
    pub answers: Answers,
    pub notice: FormNotice,
    pub access_token: Option<String>,
    pub password: Option<String>,
    pub correlation_id: String,
}

impl FormPage {
    pub fn render(self, document: &Document) -> String {
        let texts = document.texts;
        let title = match self.notice {
            FormNotice::Nothing | FormNotice::NotAccepting { .. } => self.form.title.clone(),
            _ => format!("{}: {}", texts.error, self.form.title),
        };
        let head = self.head(texts);
        let notice = self.notice(texts);
        let questions = match self.notice {
            FormNotice::NotAccepting { .. } => None,
            _ => Some(self.questions(texts)),
        };
        document.render(&title, None, (head, notice, questions).into_any())
    }

    /// Renders the requester, the title and the descriptions.
    fn head(&self, texts: &'static Texts) -> AnyView {
        let form = &self.form;
        let descriptions = [&form.description, &form.branding.description].into_iter().flatten();
        let paragraphs = descriptions.flat_map(|text| text.split("\n\n")).map(str::trim);
        let paragraphs = paragraphs.filter(|text| !text.is_empty()).map(|text| {
            view! { <p>{bdi(text)}</p> }
        });
        any_view! {
            <div class="form-head">
                {requester(&self.requested_by, texts)} <h1>{bdi(&form.title)}</h1>
                {paragraphs.collect_view()}
            </div>
        }
    }

    fn notice(&self, texts: &'static Texts) -> Option<AnyView> {
        let wait =
            |seconds: Option<u32>| seconds.map(|seconds| texts.wait(seconds)).unwrap_or_default();
        let text = match &self.notice {
            FormNotice::Nothing => return None,
            FormNotice::Errors(errors) => return Some(self.summary(errors, texts)),
            FormNotice::AlreadySubmitted => texts.already_submitted.to_owned(),
            FormNotice::Closed => texts.closed.to_owned(),
            FormNotice::NotAccepting { message, seconds } => {
                format!("{message} {}", wait(*seconds)).trim_end().to_owned()
            }
            FormNotice::Wait { message, seconds } => {
                format!("{message} {} {}", wait(*seconds), texts.answers_preserved)
            }
        };
        let is_failure = !matches!(self.notice, FormNotice::NotAccepting { .. });
        let id = is_failure.then(|| correlation_id(self.correlation_id.clone(), texts));
        Some((alert("warn", any_view! { <p>{text}</p> }), id).into_any())
    }

    /// Renders all errors with links to their questions.
    fn summary(&self, errors: &[FieldError], texts: &'static Texts) -> AnyView {
        let fields = &self.form.fields;
        let item = |error: &FieldError| {
            let index = fields.iter().position(|field| pointer(field) == error.path);
            let field = index.and_then(|index| fields.get(index));
            let answers = field.map(|field| self.answers.of(&field.name)).unwrap_or_default();
            let message = texts.answer_error(field, error, first(&answers));
            match index.zip(field) {
                Some((index, field)) => any_view! {
                    <li>
                        <a href=format!(
                            "#{}",
                            control_id(index),
                        )>{bdi(&field.label)} {format!(": {message}")}</a>
                    </li>
                },
                None => any_view! { <li>{message}</li> },
            }
        };
        let items = errors.iter().map(item).collect_view();
        let heading = match errors.len() {
            1 => texts.field_needs_attention.to_owned(),
            count => fill(texts.fields_need_attention, &[("count", &count.to_string())]),
        };
        let list = view! {
            <div>
                <h2>{heading}</h2>
                <ul>{items}</ul>
            </div>
        };
        let id = correlation_id(self.correlation_id.clone(), texts);
        (alert("deny", list.into_any()), id).into_any()
    }

    fn questions(self, texts: &'static Texts) -> AnyView {
        let Self { form, answers, notice, access_token, password, .. } = self;
        let action = format!("/f/{}", form.id);
        let errors = if let FormNotice::Errors(errors) = notice { errors } else { Vec::new() };
        let questions = form.fields.into_iter().enumerate().map(|(index, field)| {
            let error = errors.iter().find(|error| error.path == pointer(&field));
            let answers = answers.of(&field.name);
            let error = error.map(|error| texts.answer_error(Some(&field), error, first(&answers)));
            Question { texts, index, field, error, answers }.render()
        });
        let questions = questions.collect_view();
        let hidden =
            [(KEY, Some(answers.key)), ("access_token", access_token), ("password", password)];
        let hidden = hidden.map(|(name, value)| {
            value.map(|value| view! { <input type="hidden" name=name value=value /> })
        });
        any_view! {
            <form class="public-form" method="post" action=action novalidate>
                {hidden}
                {questions}
                <div class="form-end">
                    <button class="primary">{texts.submit}</button>
                    <p class="text-muted">{texts.data_notice}</p>
                </div>
            </form>
        }
    }
}

/// Returns the first of the answers to a question, or an empty text.
fn first(answers: &[String]) -> &str {
    answers.first().map(String::as_str).unwrap_or_default()
}

/// Returns the JSON pointer of errors of a question.
fn pointer(field: &FormField) -> String {
    let values = JsonPath::ROOT;
    values.name("values").name(&field.name).to_string()
}
