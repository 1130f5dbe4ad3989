//! Renders the page as HTML. All text of users is escaped with [`escape`].

use std::fmt::Write as _;

use app::text::{
    public_form::{AnswerError, Language, PublicFormTexts, Wait},
    url::{FONTS, TRUST, VERIFY},
};
use contract::{
    error::FieldError,
    form::{ACCESS_CHARS_MAX, AccessMode, FieldType, Form, FormField},
    id::FormId,
    read::JsonPath,
    text::isolated,
};
use governance::{Cx, deciding::form::PublicForm};

use super::posted::{KEY, PREFIX, PostedForm};
use crate::html::escape;

/// The part of a page outside its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document<'a> {
    pub(super) language: Language,
    /// The path of the style sheet.
    pub(super) style: &'a str,
    /// The path of a script, if the page has one.
    pub(super) script: Option<&'a str>,
}

impl Document<'_> {
    fn texts(self) -> &'static PublicFormTexts {
        self.language.texts()
    }

    /// Renders an HTML document around `main`.
    pub(super) fn render(self, title: &str, main: &str) -> String {
        let texts = self.texts();
        let font = |href| {
            format!(
                "<link rel=\"preload\" href=\"{href}\" as=\"font\" type=\"font/woff2\" crossorigin>"
            )
        };
        let script =
            self.script.map(|path| format!("<script type=\"module\" src=\"{path}\"></script>"));
        format!(
            "<!DOCTYPE html>\n<html lang=\"{lang}\" dir=\"ltr\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\">\
             <meta name=\"description\" content=\"{description}\">\
             <meta name=\"robots\" content=\"noindex\"><title>{title}</title>\
             <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">{fonts}\
             <link rel=\"stylesheet\" href=\"{style}\">{script}</head><body>\
             <a class=\"skip\" href=\"#main\">{skip}</a><div class=\"public hosted\">\
             <header class=\"public-bar\"><a href=\"/\" class=\"brand\">{LOGO}Govern</a></header>\
             <main id=\"main\">{main}</main>\
             <footer class=\"public-foot\"><span>{recorded_with}</span>\
             <nav aria-label=\"{about}\"><a href=\"{VERIFY}\">{verify}</a>\
             <a href=\"{TRUST}\">{signing_keys}</a><a href=\"/help\">{help}</a></nav></footer>\
             </div></body></html>\n",
            lang = self.language.tag(),
            description = escape(texts.description),
            title = escape(&isolated(title)),
            fonts = FONTS.map(font).concat(),
            style = escape(self.style),
            script = script.unwrap_or_default(),
            skip = texts.skip,
            recorded_with = texts.recorded_with,
            about = texts.about,
            verify = texts.verify,
            signing_keys = texts.signing_keys,
            help = texts.help,
        )
    }
}

/// The logo. It is decorative: the name of the product is next to it.
const LOGO: &str = "<svg class=\"logo\" viewBox=\"0 0 32 32\" width=\"24\" height=\"24\" \
                    aria-hidden=\"true\"><path d=\"M16 1.5A14.5 14.5 0 1 0 30.5 16.5H19.5v5H11.5V11h18.1\
                    A14.5 14.5 0 0 0 16 1.5Z\"/></svg>";

/// Renders the organization that requests the answers.
pub(super) fn requester(name: &str, texts: &PublicFormTexts) -> String {
    let initials: String = name
        .split_whitespace()
        .filter_map(|word| word.chars().find(|letter| letter.is_alphanumeric()))
        .take(2)
        .flat_map(char::to_uppercase)
        .collect();
    format!(
        "<div class=\"issuer\"><span class=\"avatar\" aria-hidden=\"true\">{}</span>\
         <p><b>{}</b><small>{}</small></p></div>",
        escape(&initials),
        bdi(name),
        texts.requester_note
    )
}

/// The page of an error that prevents access to a form or a result.
pub(super) struct ErrorPage<'a> {
    pub(super) title: &'a str,
    pub(super) text: String,
    pub(super) correlation_id: &'a str,
}

impl ErrorPage<'_> {
    pub(super) fn page(&self, document: Document<'_>) -> String {
        let texts = document.texts();
        let main = format!(
            "<div class=\"form-head\"><h1>{}</h1><p>{}</p></div>{}",
            escape(self.title),
            escape(&self.text),
            small_print(texts, self.correlation_id)
        );
        document.render(self.title, &main)
    }
}

/// The page that asks for the credentials of a form.
pub(super) struct AccessPrompt {
    pub(super) id: FormId,
    pub(super) mode: AccessMode,
    /// Whether the request has credentials, which are wrong.
    pub(super) has_credentials: bool,
}

impl AccessPrompt {
    /// Renders the page. It contains nothing of the form.
    pub(super) fn page(&self, cx: &Cx, document: Document<'_>) -> String {
        let id = self.id;
        let texts = document.texts();
        let (title, help, error) = match self.mode {
            AccessMode::Token => (texts.token_title, texts.token_help, texts.wrong_token),
            AccessMode::Password => {
                (texts.password_title, texts.password_help, texts.wrong_password)
            }
            AccessMode::Console | AccessMode::Open => {
                (texts.sign_in_title, texts.sign_in_help, texts.not_a_member)
            }
        };
        let field = |label: &str, name: &str, kind: &str| {
            format!(
                "<div class=\"field\"><label for=\"{name}\">{label}</label>\
                 <input id=\"{name}\" name=\"{name}\" type=\"{kind}\" \
                 maxlength=\"{ACCESS_CHARS_MAX}\" required \
                 autocomplete=\"off\" spellcheck=\"false\" autofocus></div>\
                 <div class=\"form-end\"><button class=\"primary\">{}</button></div>",
                texts.continue_button
            )
        };
        let action = match self.mode {
            AccessMode::Token => format!(
                "<form class=\"public-form\" method=\"get\" action=\"/f/{id}\">{}</form>",
                field(texts.token, "access_token", "text")
            ),
            AccessMode::Password => format!(
                "<form class=\"public-form\" method=\"post\" action=\"/f/{id}\">\
                 <input type=\"hidden\" name=\"gate\" value=\"1\">{}</form>",
                field(texts.password, "password", "password")
            ),
            AccessMode::Console | AccessMode::Open => format!(
                "<p><a class=\"button primary\" href=\"/login?next=%2Ff%2F{id}\">{}</a></p>",
                texts.sign_in
            ),
        };
        let error = if self.has_credentials { note("deny", error) } else { String::new() };
        let main = format!(
            "<div class=\"form-head\"><h1>{title}</h1>{error}<p>{help}</p></div>{action}{}",
            small_print(texts, cx.correlation_id.as_str())
        );
        document.render(title, &main)
    }
}

/// The notice above the form.
pub(super) enum FormNotice {
    Nothing,
    /// Some answers are invalid.
    Errors(Vec<FieldError>),
    /// The idempotency key of the page was used for other answers.
    AlreadySubmitted,
    /// No active policy evaluates the answers.
    Closed,
    /// The budget is used up. The questions are not displayed.
    Exhausted {
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
pub(super) struct FormPage<'a> {
    pub(super) public_form: &'a PublicForm,
    pub(super) posted: &'a PostedForm,
    pub(super) notice: FormNotice,
    pub(super) language: Language,
    pub(super) access_token: Option<&'a str>,
    pub(super) password: Option<&'a str>,
    pub(super) correlation_id: &'a str,
}

impl FormPage<'_> {
    const fn texts(&self) -> &'static PublicFormTexts {
        self.language.texts()
    }

    pub(super) fn page(&self, style: &str) -> String {
        let document = Document { language: self.language, style, script: None };
        let texts = self.texts();
        let form = &self.public_form.form;
        let mut main = self.head(form);
        main.push_str(&self.notice());
        if let FormNotice::Exhausted { .. } = self.notice {
            return document.render(&form.title, &main);
        }
        let _ = write!(
            main,
            "<form class=\"public-form\" method=\"post\" action=\"/f/{}\" novalidate>{}",
            form.id,
            self.hidden_fields()
        );
        for (index, field) in form.fields.iter().enumerate() {
            self.question(&mut main, index, field);
        }
        let _ = write!(
            main,
            "<div class=\"form-end\"><button class=\"primary\">{}</button>\
             <p class=\"text-muted\">{}</p></div></form>",
            texts.submit, texts.data_notice
        );
        let title = match self.notice {
            FormNotice::Nothing => form.title.clone(),
            _ => format!("{}: {}", texts.error, form.title),
        };
        document.render(&title, &main)
    }

    /// Renders the requester, the title and the descriptions.
    fn head(&self, form: &Form) -> String {
        let mut head = format!(
            "<div class=\"form-head\">{}<h1>{}</h1>",
            requester(&self.public_form.requested_by, self.texts()),
            bdi(&form.title)
        );
        for text in [&form.description, &form.branding.description].into_iter().flatten() {
            let paragraphs = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
            paragraphs.for_each(|text| {
                let _ = write!(head, "<p>{}</p>", bdi(text));
            });
        }
        head.push_str("</div>");
        head
    }

    fn hidden_fields(&self) -> String {
        let hidden_fields = [
            (KEY, Some(self.posted.key.as_str())),
            ("access_token", self.access_token),
            ("password", self.password),
        ];
        let hidden_fields =
            hidden_fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
        hidden_fields.fold(String::new(), |mut html, (name, value)| {
            let value = escape(value);
            let _ = write!(html, "<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
            html
        })
    }

    fn notice(&self) -> String {
        let texts = self.texts();
        let wait = |seconds: Option<u32>| {
            seconds.map(|seconds| (texts.wait)(Wait::from_seconds(seconds))).unwrap_or_default()
        };
        let notice = match &self.notice {
            FormNotice::Nothing => return String::new(),
            FormNotice::Exhausted { message, seconds } => {
                return note("warn", &format!("{message} {}", wait(*seconds)));
            }
            FormNotice::Errors(errors) => self.summary(errors),
            FormNotice::AlreadySubmitted => note("warn", texts.already_submitted),
            FormNotice::Closed => note("warn", texts.closed),
            FormNotice::Wait { message, seconds } => {
                let text = format!("{message} {} {}", wait(*seconds), texts.answers_preserved);
                note("warn", &text)
            }
        };
        format!("{notice}{}", small_print(texts, self.correlation_id))
    }

    fn answer_error(&self, field: Option<&FormField>, error: &FieldError) -> String {
        escape(&(self.texts().answer_error)(&AnswerError::of(field, error)))
    }

    /// Renders all errors with links to their questions. It receives the focus.
    fn summary(&self, errors: &[FieldError]) -> String {
        let fields = &self.public_form.form.fields;
        let mut items = String::new();
        for error in errors {
            let index = fields.iter().position(|field| pointer(field) == error.path);
            let field = index.and_then(|index| Some((index, fields.get(index)?)));
            let message = self.answer_error(field.map(|(_, field)| field), error);
            let _ = match field {
                Some((index, field)) => write!(
                    items,
                    "<li><a href=\"#{}\">{}: {message}</a></li>",
                    target(index),
                    bdi(&field.label)
                ),
                None => write!(items, "<li>{message}</li>"),
            };
        }
        format!(
            "<div class=\"note deny\" role=\"alert\" tabindex=\"-1\" autofocus><div>\
             <h2>{}</h2><ul>{items}</ul></div></div>",
            (self.texts().fields_need_attention)(errors.len())
        )
    }

    fn question(&self, html: &mut String, index: usize, field: &FormField) {
        let texts = self.texts();
        let error = match &self.notice {
            FormNotice::Errors(errors) => errors.iter().find(|error| error.path == pointer(field)),
            _ => None,
        };
        let required_mark = if field.is_required() {
            format!(" <span class=\"text-muted\">{}</span>", texts.required)
        } else {
            String::new()
        };
        let label = format!("{}{required_mark}", bdi(&field.label));
        let utc = (field.kind == FieldType::Datetime).then_some(texts.utc);
        let hint: Vec<&str> = field.help.as_deref().into_iter().chain(utc).collect();
        let mut descriptions = String::new();
        let mut description_ids = Vec::new();
        if !hint.is_empty() {
            let hint = bdi(&hint.join(" "));
            let _ =
                write!(descriptions, "<small id=\"h{index}\" class=\"text-muted\">{hint}</small>");
            description_ids.push(format!("h{index}"));
        }
        if let Some(error) = error {
            let message = self.answer_error(Some(field), error);
            let _ = write!(descriptions, "<p id=\"e{index}\" class=\"field-error\">{message}</p>");
            description_ids.push(format!("e{index}"));
        }
        let question = RenderedQuestion {
            texts,
            index,
            field,
            label: &label,
            descriptions: &descriptions,
            description_ids,
            is_invalid: error.is_some(),
        };
        html.push_str(&match field.kind {
            FieldType::Boolean | FieldType::Multiselect => question.checkboxes(self.posted),
            FieldType::Select => question.select(self.posted),
            FieldType::Textarea => question.textarea(self.posted),
            _ => question.input(self.posted),
        });
    }
}

/// A question with its label, help text and error.
struct RenderedQuestion<'a> {
    texts: &'static PublicFormTexts,
    index: usize,
    field: &'a FormField,
    label: &'a str,
    descriptions: &'a str,
    description_ids: Vec<String>,
    is_invalid: bool,
}

impl RenderedQuestion<'_> {
    /// Returns the attribute that refers to the descriptions.
    fn with_description(&self) -> String {
        if self.description_ids.is_empty() {
            return String::new();
        }
        format!(" aria-describedby=\"{}\"", self.description_ids.join(" "))
    }

    /// Returns the attribute of an invalid answer.
    const fn invalid_attribute(&self) -> &'static str {
        if self.is_invalid { " aria-invalid=\"true\"" } else { "" }
    }

    /// Returns the attributes that all controls have.
    fn control(&self) -> String {
        let name = escape(&self.field.name);
        let required_attribute = if self.field.is_required() { " required" } else { "" };
        let (index, described_by, invalid_attribute) =
            (self.index, self.with_description(), self.invalid_attribute());
        format!(
            "id=\"q{index}\" name=\"{PREFIX}{name}\"{required_attribute}{described_by}{invalid_attribute}"
        )
    }

    fn with_label(&self, control: &str) -> String {
        let (index, label, descriptions) = (self.index, self.label, self.descriptions);
        format!(
            "<div class=\"field\"><label for=\"q{index}\">{label}</label>{descriptions}{control}</div>"
        )
    }

    fn input(&self, posted: &PostedForm) -> String {
        let (kind, mode) = match self.field.kind {
            // A text field preserves any input, including invalid numbers.
            FieldType::Number => ("text", " inputmode=\"decimal\""),
            FieldType::Date => ("date", ""),
            FieldType::Datetime => ("datetime-local", " step=\"1\""),
            FieldType::Email => ("email", " autocomplete=\"email\""),
            FieldType::Url => ("url", ""),
            _ => ("text", ""),
        };
        let value = escape(posted.answer(&self.field.name));
        let example = self.placeholder();
        self.with_label(&format!(
            "<input type=\"{kind}\"{mode} {}{example} value=\"{value}\">",
            self.control()
        ))
    }

    fn textarea(&self, posted: &PostedForm) -> String {
        let value = escape(posted.answer(&self.field.name));
        let example = self.placeholder();
        // Browsers drop the first line break of a textarea.
        self.with_label(&format!(
            "<textarea rows=\"5\" {}{example}>\n{value}</textarea>",
            self.control()
        ))
    }

    fn placeholder(&self) -> String {
        let example = self.field.placeholder.as_deref().map(escape);
        example.map(|example| format!(" placeholder=\"{example}\"")).unwrap_or_default()
    }

    fn select(&self, posted: &PostedForm) -> String {
        let selected = posted.answer(&self.field.name);
        let mut options = format!("<option value=\"\">{}</option>", self.texts.choose);
        for option in self.field.options_or_empty() {
            let value = option.form_value();
            let selected_attribute = if value == selected { " selected" } else { "" };
            let (value, label) = (escape(&value), escape(&isolated(&option.label)));
            let _ =
                write!(options, "<option value=\"{value}\"{selected_attribute}>{label}</option>");
        }
        self.with_label(&format!("<select {}>{options}</select>", self.control()))
    }

    /// Renders check boxes, or a yes and a no radio button. A radio group can be marked as required and
    /// invalid; check boxes are marked one by one.
    fn checkboxes(&self, posted: &PostedForm) -> String {
        let boolean_choices = [("true", self.texts.yes), ("false", self.texts.no)];
        let is_boolean = self.field.kind == FieldType::Boolean;
        let (kind, choices): (&str, Vec<(String, String)>) = if is_boolean {
            ("radio", boolean_choices.map(|(value, label)| (value.into(), label.into())).into())
        } else {
            let options = self.field.options_or_empty().iter();
            (
                "checkbox",
                options.map(|option| (option.form_value(), option.label.clone())).collect(),
            )
        };
        let required_attribute =
            if self.field.is_required() { " aria-required=\"true\"" } else { "" };
        let (group, per_box) = if is_boolean {
            (format!(" role=\"radiogroup\"{required_attribute}{}", self.invalid_attribute()), "")
        } else {
            (String::new(), self.invalid_attribute())
        };
        let name = escape(&self.field.name);
        let mut boxes = String::new();
        for (position, (value, label)) in choices.iter().enumerate() {
            let is_checked = posted.answers(&self.field.name).any(|answer| answer == value);
            let _ = write!(
                boxes,
                "<label class=\"checkbox\"><input id=\"{}\" type=\"{kind}\" name=\"{PREFIX}{name}\" \
                 value=\"{}\"{}{per_box}><span>{}</span></label>",
                if position == 0 {
                    target(self.index)
                } else {
                    format!("q{}-{position}", self.index)
                },
                escape(value),
                if is_checked { " checked" } else { "" },
                bdi(label)
            );
        }
        let (label, descriptions, described_by) =
            (self.label, self.descriptions, self.with_description());
        format!(
            "<fieldset class=\"bare field\"{group}{described_by}><legend>{label}</legend>\
             {descriptions}{boxes}</fieldset>"
        )
    }
}

/// Returns the JSON pointer of errors of a question.
fn pointer(field: &FormField) -> String {
    let values = JsonPath::ROOT;
    values.name("values").name(&field.name).to_string()
}

/// Returns the ID of the first control of a question, for links.
fn target(index: usize) -> String {
    format!("q{index}")
}

/// Escapes text of users and isolates its writing direction from the surrounding text.
pub(super) fn bdi(text: &str) -> String {
    format!("<bdi>{}</bdi>", escape(text))
}

fn note(tone: &str, text: &str) -> String {
    let text = escape(text);
    format!(
        "<div class=\"note {tone}\" role=\"alert\" tabindex=\"-1\" autofocus><p>{text}</p></div>"
    )
}

/// Renders the correlation ID.
fn small_print(texts: &PublicFormTexts, correlation_id: &str) -> String {
    let (label, id) = (texts.correlation_id, escape(correlation_id));
    format!("<p class=\"text-xs text-muted\">{label} <code>{id}</code></p>")
}
