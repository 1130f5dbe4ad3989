//! Renders the page as HTML. All text of users is escaped with [`escape`].

use std::fmt::Write as _;

use app::text::public_form as strings;
use contract::{
    error::FieldError,
    form::{ACCESS_CHARS_MAX, AccessMode, FieldType, Form, FormField},
    id::FormId,
    read::JsonPath,
};
use governance::{Cx, deciding::form::PublicForm};

use super::posted::{KEY, PREFIX, PostedForm};
use crate::html::escape;

/// Renders an HTML document around `main`.
fn document(title: &str, style: &str, main: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title>\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"{style}\"></head><body>\
         <div class=\"public hosted\"><main id=\"main\">{main}</main></div></body></html>\n",
        style = escape(style),
    )
}

/// The page that asks for the credentials of a form.
pub(super) struct AccessPrompt {
    pub(super) id: FormId,
    pub(super) mode: AccessMode,
    /// The error of wrong credentials.
    pub(super) error: Option<String>,
}

impl AccessPrompt {
    /// Renders the page. It contains nothing of the form.
    pub(super) fn page(&self, cx: &Cx, style: &str) -> String {
        let id = self.id;
        let (title, help) = match self.mode {
            AccessMode::Token => (strings::TOKEN_TITLE, strings::TOKEN_HELP),
            AccessMode::Password => (strings::PASSWORD_TITLE, strings::PASSWORD_HELP),
            AccessMode::Console | AccessMode::Open => {
                (strings::SIGN_IN_TITLE, strings::SIGN_IN_HELP)
            }
        };
        let field = |label: &str, name: &str, kind: &str| {
            format!(
                "<div class=\"field\"><label for=\"{name}\">{label}</label>\
                 <input id=\"{name}\" name=\"{name}\" type=\"{kind}\" \
                 maxlength=\"{ACCESS_CHARS_MAX}\" required \
                 autocomplete=\"off\" spellcheck=\"false\" autofocus></div>\
                 <button class=\"primary\">{}</button>",
                strings::CONTINUE
            )
        };
        let action = match self.mode {
            AccessMode::Token => format!(
                "<form class=\"stack\" method=\"get\" action=\"/f/{id}\">{}</form>",
                field(strings::TOKEN, "access_token", "text")
            ),
            AccessMode::Password => format!(
                "<form class=\"stack\" method=\"post\" action=\"/f/{id}\">\
                 <input type=\"hidden\" name=\"gate\" value=\"1\">{}</form>",
                field(strings::PASSWORD, "password", "password")
            ),
            AccessMode::Console | AccessMode::Open => format!(
                "<p><a class=\"button primary\" href=\"/login?next=%2Ff%2F{id}\">{}</a></p>",
                strings::SIGN_IN
            ),
        };
        let error = self.error.as_ref().map(|error| note("deny", &sentence(error)));
        let main = format!(
            "<div class=\"card panel stack\"><h1>{title}</h1>{}<p>{help}</p>{action}{}</div>",
            error.unwrap_or_default(),
            small_print(cx.correlation_id.as_str())
        );
        document(title, style, &main)
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
        message: String,
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
    pub(super) access_token: Option<&'a str>,
    pub(super) password: Option<&'a str>,
    pub(super) correlation_id: &'a str,
}

impl FormPage<'_> {
    pub(super) fn page(&self, style: &str) -> String {
        let form = &self.public_form.form;
        let mut main = format!("<div class=\"card panel stack\"><h1>{}</h1>", bdi(&form.title));
        main.push_str(&self.head(form));
        main.push_str(&self.notice());
        if let FormNotice::Exhausted { .. } = self.notice {
            main.push_str("</div>");
            return document(&form.title, style, &main);
        }
        let _ = write!(
            main,
            "<form class=\"stack\" method=\"post\" action=\"/f/{}\" novalidate>{}",
            form.id,
            self.hidden_fields()
        );
        for (index, field) in form.fields.iter().enumerate() {
            self.question(&mut main, index, field);
        }
        let _ = write!(
            main,
            "<div class=\"row\"><button class=\"primary\">{}</button></div></form></div>",
            strings::SUBMIT
        );
        let title = match self.notice {
            FormNotice::Nothing => form.title.clone(),
            _ => format!("{}: {}", strings::ERROR, form.title),
        };
        document(&title, style, &main)
    }

    /// Renders the tenant, the descriptions and the privacy notice.
    fn head(&self, form: &Form) -> String {
        let mut head = format!(
            "<p class=\"text-muted\">{} {}</p>",
            bdi(&strings::asked_by(&self.public_form.requested_by)),
            strings::DATA_NOTICE
        );
        for text in [&form.branding.description, &form.description].into_iter().flatten() {
            let paragraphs = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
            paragraphs.for_each(|text| {
                let _ = write!(head, "<p>{}</p>", bdi(text));
            });
        }
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
        let footer = small_print(self.correlation_id);
        match &self.notice {
            FormNotice::Nothing => String::new(),
            FormNotice::Errors(errors) => format!("{}{footer}", self.summary(errors)),
            FormNotice::AlreadySubmitted => {
                format!("{}{footer}", note("warn", strings::ALREADY_SUBMITTED))
            }
            FormNotice::Closed => format!("{}{footer}", note("warn", strings::CLOSED)),
            FormNotice::Exhausted { message, seconds } => {
                let wait = seconds.map(strings::wait).unwrap_or_default();
                note("warn", &format!("{} {wait}", sentence(message)))
            }
            FormNotice::Wait { message, seconds } => {
                let wait = seconds.map(strings::wait).unwrap_or_default();
                let text = format!("{} {wait} {}", sentence(message), strings::ANSWERS_PRESERVED);
                format!("{}{footer}", note("warn", &text))
            }
        }
    }

    /// Renders all errors with links to their questions. It receives the focus.
    fn summary(&self, errors: &[FieldError]) -> String {
        let fields = &self.public_form.form.fields;
        let mut items = String::new();
        for error in errors {
            let index = fields.iter().position(|field| pointer(field) == error.path);
            let message = escape(&sentence(&error.message));
            let _ = match index.and_then(|index| Some((index, fields.get(index)?))) {
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
            strings::need_a_change(errors.len())
        )
    }

    fn question(&self, html: &mut String, index: usize, field: &FormField) {
        let error = match &self.notice {
            FormNotice::Errors(errors) => errors.iter().find(|error| error.path == pointer(field)),
            _ => None,
        };
        let required_mark = if field.is_required() {
            format!(" <span class=\"text-muted\">{}</span>", strings::REQUIRED)
        } else {
            String::new()
        };
        let label = format!("{}{required_mark}", bdi(&field.label));
        let utc = (field.kind == FieldType::Datetime).then_some(strings::UTC);
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
            let message = escape(&sentence(&error.message));
            let _ = write!(descriptions, "<p id=\"e{index}\" class=\"fault\">{message}</p>");
            description_ids.push(format!("e{index}"));
        }
        let question = RenderedQuestion {
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
        let mut options = format!("<option value=\"\">{}</option>", strings::CHOOSE);
        for option in self.field.options_or_empty() {
            let value = option.form_value();
            let selected_attribute = if value == selected { " selected" } else { "" };
            let (value, label) = (escape(&value), escape(&option.label));
            let _ =
                write!(options, "<option value=\"{value}\"{selected_attribute}>{label}</option>");
        }
        self.with_label(&format!("<select {}>{options}</select>", self.control()))
    }

    /// Renders check boxes, or a yes and a no radio button. A radio group can be marked as required and
    /// invalid; check boxes are marked one by one.
    fn checkboxes(&self, posted: &PostedForm) -> String {
        let boolean_choices = [("true", strings::YES), ("false", strings::NO)];
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

/// Returns the id of the first control of a question, for links.
fn target(index: usize) -> String {
    format!("q{index}")
}

/// Escapes text of users and isolates its writing direction from the surrounding text.
fn bdi(text: &str) -> String {
    format!("<bdi>{}</bdi>", escape(text))
}

fn note(tone: &str, text: &str) -> String {
    let text = escape(text);
    format!(
        "<div class=\"note {tone}\" role=\"alert\" tabindex=\"-1\" autofocus><p>{text}</p></div>"
    )
}

fn small_print(correlation_id: &str) -> String {
    let (label, id) = (strings::CORRELATION_ID, escape(correlation_id));
    format!("<p class=\"text-xs text-muted\">{label} <code>{id}</code></p>")
}

/// Formats a message of the service as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let Some(first) = letters.next() else { return String::new() };
    first.to_uppercase().chain(letters).collect::<String>() + "."
}
