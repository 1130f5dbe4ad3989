//! The HTML of the page. Every text that somebody wrote goes through [`escaped`].

use std::fmt::Write as _;

use app::text::form as words;
use contract::{
    error::FieldError,
    form::{ACCESS_CHARS_MAX, AccessMode, FieldType, Form, FormField},
    id::FormId,
    read::At,
};
use governance::{Cx, form::Shown};

use super::sent::{KEY, PREFIX, Sent};
use crate::html::escaped;

/// A document around `main`.
fn document(title: &str, style: &str, main: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title>\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"{style}\"></head><body>\
         <div class=\"public hosted\"><main id=\"main\">{main}</main></div></body></html>\n",
        style = escaped(style),
    )
}

/// What stands before a form that asks for something.
pub(super) struct Gate {
    pub(super) id: FormId,
    pub(super) mode: AccessMode,
    /// Why what was given does not open it.
    pub(super) wrong: Option<String>,
}

impl Gate {
    /// The page. Nothing of the form itself is on it.
    pub(super) fn page(&self, cx: &Cx, style: &str) -> String {
        let id = self.id;
        let (title, says) = match self.mode {
            AccessMode::Token => (words::TOKEN_TITLE, words::TOKEN_SAYS),
            AccessMode::Password => (words::PASSWORD_TITLE, words::PASSWORD_SAYS),
            AccessMode::Console | AccessMode::Open => (words::SIGN_IN_TITLE, words::SIGN_IN_SAYS),
        };
        let field = |label: &str, name: &str, kind: &str| {
            format!(
                "<div class=\"field\"><label for=\"{name}\">{label}</label>\
                 <input id=\"{name}\" name=\"{name}\" type=\"{kind}\" \
                 maxlength=\"{ACCESS_CHARS_MAX}\" required \
                 autocomplete=\"off\" spellcheck=\"false\" autofocus></div>\
                 <button class=\"primary\">{}</button>",
                words::CONTINUE
            )
        };
        let act = match self.mode {
            AccessMode::Token => format!(
                "<form class=\"stack\" method=\"get\" action=\"/f/{id}\">{}</form>",
                field(words::TOKEN, "access_token", "text")
            ),
            AccessMode::Password => format!(
                "<form class=\"stack\" method=\"post\" action=\"/f/{id}\">\
                 <input type=\"hidden\" name=\"gate\" value=\"1\">{}</form>",
                field(words::PASSWORD, "password", "password")
            ),
            AccessMode::Console | AccessMode::Open => format!(
                "<p><a class=\"button primary\" href=\"/login?next=%2Ff%2F{id}\">{}</a></p>",
                words::SIGN_IN
            ),
        };
        let wrong = self.wrong.as_ref().map(|wrong| note("deny", &sentence(wrong)));
        let main = format!(
            "<div class=\"card sheet stack\"><h1>{title}</h1>{}<p>{says}</p>{act}{}</div>",
            wrong.unwrap_or_default(),
            small_print(cx.correlation_id.as_str())
        );
        document(title, style, &main)
    }
}

/// Why the form is shown once more.
pub(super) enum Told {
    /// It is the first time.
    Nothing,
    /// Answers that do not fit.
    Faults(Vec<FieldError>),
    /// The page's key stands for other answers.
    SentBefore,
    /// Nothing decides on the answers.
    Closed,
    /// The budget is used up, and no question is shown.
    Exhausted {
        /// The service's own sentence.
        message: String,
        /// How long until it is refilled, if ever.
        seconds: Option<u32>,
    },
    /// Too many submissions, or a service that is not ready.
    Wait {
        /// The service's own sentence.
        message: String,
        /// How long.
        seconds: Option<u32>,
    },
}

/// The form.
pub(super) struct Questions<'a> {
    pub(super) shown: &'a Shown,
    pub(super) sent: &'a Sent,
    pub(super) told: Told,
    pub(super) access_token: Option<&'a str>,
    pub(super) password: Option<&'a str>,
    pub(super) correlation_id: &'a str,
}

impl Questions<'_> {
    /// The page.
    pub(super) fn page(&self, style: &str) -> String {
        let form = &self.shown.form;
        let mut main = format!("<div class=\"card sheet stack\"><h1>{}</h1>", bdi(&form.title));
        main.push_str(&self.head(form));
        main.push_str(&self.told());
        if let Told::Exhausted { .. } = self.told {
            main.push_str("</div>");
            return document(&form.title, style, &main);
        }
        let _ = write!(
            main,
            "<form class=\"stack\" method=\"post\" action=\"/f/{}\" novalidate>{}",
            form.id,
            self.hidden()
        );
        for (index, field) in form.fields.iter().enumerate() {
            self.question(&mut main, index, field);
        }
        let _ = write!(
            main,
            "<div class=\"row\"><button class=\"primary\">{}</button></div></form></div>",
            words::SUBMIT
        );
        let title = match self.told {
            Told::Nothing => form.title.clone(),
            _ => format!("{}: {}", words::ERROR, form.title),
        };
        document(&title, style, &main)
    }

    /// Who asks, for what, and what happens to the answers.
    fn head(&self, form: &Form) -> String {
        let mut head = format!(
            "<p class=\"text-muted\">{} {}</p>",
            bdi(&words::asked_by(&self.shown.asked_by)),
            words::WHAT_HAPPENS
        );
        for text in [&form.branding.description, &form.description].into_iter().flatten() {
            let lines = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
            lines.for_each(|text| {
                let _ = write!(head, "<p>{}</p>", bdi(text));
            });
        }
        head
    }

    fn hidden(&self) -> String {
        let kept = [
            (KEY, Some(self.sent.key.as_str())),
            ("access_token", self.access_token),
            ("password", self.password),
        ];
        let kept = kept.into_iter().filter_map(|(name, value)| Some((name, value?)));
        kept.fold(String::new(), |mut html, (name, value)| {
            let value = escaped(value);
            let _ = write!(html, "<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
            html
        })
    }

    fn told(&self) -> String {
        let print = small_print(self.correlation_id);
        match &self.told {
            Told::Nothing => String::new(),
            Told::Faults(faults) => format!("{}{print}", self.summary(faults)),
            Told::SentBefore => format!("{}{print}", note("warn", words::SENT_BEFORE)),
            Told::Closed => format!("{}{print}", note("warn", words::CLOSED)),
            Told::Exhausted { message, seconds } => {
                let wait = seconds.map(words::wait).unwrap_or_default();
                note("warn", &format!("{} {wait}", sentence(message)))
            }
            Told::Wait { message, seconds } => {
                let wait = seconds.map(words::wait).unwrap_or_default();
                let text = format!("{} {wait} {}", sentence(message), words::KEPT);
                format!("{}{print}", note("warn", &text))
            }
        }
    }

    /// Every fault with a link to its question. It takes the focus.
    fn summary(&self, faults: &[FieldError]) -> String {
        let fields = &self.shown.form.fields;
        let mut items = String::new();
        for fault in faults {
            let asked = fields.iter().position(|field| pointer(field) == fault.path);
            let message = escaped(&sentence(&fault.message));
            let _ = match asked.and_then(|index| Some((index, fields.get(index)?))) {
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
            words::need_a_change(faults.len())
        )
    }

    fn question(&self, html: &mut String, index: usize, field: &FormField) {
        let fault = match &self.told {
            Told::Faults(faults) => faults.iter().find(|fault| fault.path == pointer(field)),
            _ => None,
        };
        let must = if field.is_required() {
            format!(" <span class=\"text-muted\">{}</span>", words::REQUIRED)
        } else {
            String::new()
        };
        let label = format!("{}{must}", bdi(&field.label));
        let utc = (field.kind == FieldType::Datetime).then_some(words::UTC);
        let hint: Vec<&str> = field.help.as_deref().into_iter().chain(utc).collect();
        let mut beside = String::new();
        let mut tied = Vec::new();
        if !hint.is_empty() {
            let hint = bdi(&hint.join(" "));
            let _ = write!(beside, "<small id=\"h{index}\" class=\"text-muted\">{hint}</small>");
            tied.push(format!("h{index}"));
        }
        if let Some(fault) = fault {
            let message = escaped(&sentence(&fault.message));
            let _ = write!(beside, "<p id=\"e{index}\" class=\"fault\">{message}</p>");
            tied.push(format!("e{index}"));
        }
        let place =
            Place { index, field, label: &label, beside: &beside, tied, is_wrong: fault.is_some() };
        html.push_str(&match field.kind {
            FieldType::Boolean | FieldType::Multiselect => place.ticks(self.sent),
            FieldType::Select => place.select(self.sent),
            FieldType::Textarea => place.lines(self.sent),
            _ => place.line(self.sent),
        });
    }
}

/// Where a question stands, with what is written beside it.
struct Place<'a> {
    index: usize,
    field: &'a FormField,
    label: &'a str,
    beside: &'a str,
    tied: Vec<String>,
    is_wrong: bool,
}

impl Place<'_> {
    /// The tie to what is written beside it.
    fn described(&self) -> String {
        if self.tied.is_empty() {
            return String::new();
        }
        format!(" aria-describedby=\"{}\"", self.tied.join(" "))
    }

    /// The mark of an answer that does not fit.
    const fn wrong(&self) -> &'static str {
        if self.is_wrong { " aria-invalid=\"true\"" } else { "" }
    }

    /// What every single control has.
    fn control(&self) -> String {
        let name = escaped(&self.field.name);
        let must = if self.field.is_required() { " required" } else { "" };
        let (index, described, wrong) = (self.index, self.described(), self.wrong());
        format!("id=\"q{index}\" name=\"{PREFIX}{name}\"{must}{described}{wrong}")
    }

    fn around(&self, control: &str) -> String {
        let (index, label, beside) = (self.index, self.label, self.beside);
        format!(
            "<div class=\"field\"><label for=\"q{index}\">{label}</label>{beside}{control}</div>"
        )
    }

    fn line(&self, sent: &Sent) -> String {
        let (kind, mode) = match self.field.kind {
            // A text field keeps what was typed, whatever it is.
            FieldType::Number => ("text", " inputmode=\"decimal\""),
            FieldType::Date => ("date", ""),
            FieldType::Datetime => ("datetime-local", " step=\"1\""),
            FieldType::Email => ("email", " autocomplete=\"email\""),
            FieldType::Url => ("url", ""),
            _ => ("text", ""),
        };
        let value = escaped(sent.one(&self.field.name));
        let example = self.placeholder();
        self.around(&format!(
            "<input type=\"{kind}\"{mode} {}{example} value=\"{value}\">",
            self.control()
        ))
    }

    fn lines(&self, sent: &Sent) -> String {
        let value = escaped(sent.one(&self.field.name));
        let example = self.placeholder();
        // A browser drops the first line break of the text.
        self.around(&format!(
            "<textarea rows=\"5\" {}{example}>\n{value}</textarea>",
            self.control()
        ))
    }

    fn placeholder(&self) -> String {
        let example = self.field.placeholder.as_deref().map(escaped);
        example.map(|example| format!(" placeholder=\"{example}\"")).unwrap_or_default()
    }

    fn select(&self, sent: &Sent) -> String {
        let chosen = sent.one(&self.field.name);
        let mut options = format!("<option value=\"\">{}</option>", words::CHOOSE);
        for option in self.field.choices() {
            let value = option.sent();
            let is_chosen = if value == chosen { " selected" } else { "" };
            let (value, label) = (escaped(&value), escaped(&option.label));
            let _ = write!(options, "<option value=\"{value}\"{is_chosen}>{label}</option>");
        }
        self.around(&format!("<select {}>{options}</select>", self.control()))
    }

    /// Boxes to tick, or a yes and a no. A group of radios can be required and invalid; of a group
    /// of boxes each box is marked.
    fn ticks(&self, sent: &Sent) -> String {
        let yes_or_no = [("true", words::YES), ("false", words::NO)];
        let is_boolean = self.field.kind == FieldType::Boolean;
        let (kind, choices): (&str, Vec<(String, String)>) = if is_boolean {
            ("radio", yes_or_no.map(|(value, word)| (value.into(), word.into())).into())
        } else {
            let options = self.field.choices().iter();
            ("checkbox", options.map(|one| (one.sent(), one.label.clone())).collect())
        };
        let must = if self.field.is_required() { " aria-required=\"true\"" } else { "" };
        let (group, each) = if is_boolean {
            (format!(" role=\"radiogroup\"{must}{}", self.wrong()), "")
        } else {
            (String::new(), self.wrong())
        };
        let name = escaped(&self.field.name);
        let mut boxes = String::new();
        for (place, (value, label)) in choices.iter().enumerate() {
            let is_on = sent.all(&self.field.name).any(|one| one == value);
            let _ = write!(
                boxes,
                "<label class=\"tick\"><input id=\"{}\" type=\"{kind}\" name=\"{PREFIX}{name}\" \
                 value=\"{}\"{}{each}><span>{}</span></label>",
                if place == 0 {
                    format!("q{}", self.index)
                } else {
                    format!("q{}-{place}", self.index)
                },
                escaped(value),
                if is_on { " checked" } else { "" },
                bdi(label)
            );
        }
        let (label, beside, described) = (self.label, self.beside, self.described());
        format!(
            "<fieldset class=\"bare field\"{group}{described}><legend>{label}</legend>\
             {beside}{boxes}</fieldset>"
        )
    }
}

/// Where the errors of a question point to.
fn pointer(field: &FormField) -> String {
    let values = At::ROOT;
    values.name("values").name(&field.name).to_string()
}

/// Where a link to a question leads: its control, or the first of them.
fn target(index: usize) -> String {
    format!("q{index}")
}

/// Text that somebody wrote: it cannot turn the direction of what stands around it.
fn bdi(text: &str) -> String {
    format!("<bdi>{}</bdi>", escaped(text))
}

fn note(tone: &str, text: &str) -> String {
    let text = escaped(text);
    format!(
        "<div class=\"note {tone}\" role=\"alert\" tabindex=\"-1\" autofocus><p>{text}</p></div>"
    )
}

fn small_print(correlation_id: &str) -> String {
    let (what, id) = (words::CORRELATION_ID, escaped(correlation_id));
    format!("<p class=\"text-xs text-muted\">{what} <code>{id}</code></p>")
}

/// A message of the service as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let Some(first) = letters.next() else { return String::new() };
    first.to_uppercase().chain(letters).collect::<String>() + "."
}
