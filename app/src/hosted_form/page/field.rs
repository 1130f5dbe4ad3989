//! The fields of the form editor. Errors are shown as text next to each field.

use contract::error::FieldError;
use leptos::prelude::*;

use kit::text::errors::is_at;

use crate::{
    hosted_form::{view::TICKED, words},
    text::{between_tags, messages},
    ui::{field::options, form_errors::FormErrors, inline_code::quoted},
};

/// Returns the ID of the field that shows the value at the wire path `path`. All options share one field, and
/// so do questions that are edited as JSON.
pub(super) fn anchor(path: &str, is_json: bool) -> String {
    let depth = match path.strip_prefix("/fields/") {
        Some(_) if is_json => 1,
        Some(_) => 3,
        None => 2,
    };
    path.split('/').skip(1).take(depth).collect::<Vec<_>>().join("-")
}

/// A field. `path` is the wire path of its value, `name` its name in the request.
#[derive(Clone, Debug)]
pub(super) struct FormFieldInput {
    pub(super) form_errors: FormErrors,
    pub(super) path: String,
    pub(super) name: String,
    pub(super) label: &'static str,
    pub(super) hint: &'static str,
}

/// The attributes that connect a control with its label, hint and errors.
struct FieldAttributes {
    id: String,
    name: String,
    described_by: String,
    invalid: Option<&'static str>,
}

impl FormFieldInput {
    /// Renders a single-line text field.
    pub(super) fn line(self, value: String) -> AnyView {
        self.input("text", "off", value)
    }

    pub(super) fn password(self) -> AnyView {
        self.input("password", "new-password", String::new())
    }

    fn input(self, kind: &'static str, autocomplete: &'static str, value: String) -> AnyView {
        self.wrap(|attributes| {
            view! {
                <input
                    id=attributes.id
                    type=kind
                    name=attributes.name
                    value=value
                    autocomplete=autocomplete
                    spellcheck="false"
                    aria-describedby=attributes.described_by
                    aria-invalid=attributes.invalid
                />
            }
            .into_any()
        })
    }

    /// Renders a multi-line text field.
    pub(super) fn area(self, rows: u8, value: String) -> AnyView {
        self.wrap(|attributes| {
            view! {
                <textarea
                    id=attributes.id
                    name=attributes.name
                    rows=rows
                    aria-describedby=attributes.described_by
                    aria-invalid=attributes.invalid
                >
                    {between_tags(value)}
                </textarea>
            }
            .into_any()
        })
    }

    pub(super) fn code(self, rows: u8, value: String) -> AnyView {
        self.wrap(|attributes| {
            view! {
                <textarea
                    id=attributes.id
                    name=attributes.name
                    rows=rows
                    class="font-mono"
                    spellcheck="false"
                    aria-describedby=attributes.described_by
                    aria-invalid=attributes.invalid
                >
                    {between_tags(value)}
                </textarea>
            }
            .into_any()
        })
    }

    pub(super) fn choice(self, choices: Vec<(&'static str, &'static str)>, value: &str) -> AnyView {
        let options = options(choices, value);
        self.wrap(|attributes| {
            view! {
                <select
                    id=attributes.id
                    name=attributes.name
                    aria-describedby=attributes.described_by
                    aria-invalid=attributes.invalid
                >
                    {options}
                </select>
            }
            .into_any()
        })
    }

    pub(super) fn checkbox(self, is_ticked: bool) -> AnyView {
        let id = anchor(&self.path, false);
        view! {
            <label class="checkbox">
                <input type="checkbox" id=id name=self.name value=TICKED checked=is_ticked />
                <span>{self.label}</span>
            </label>
        }
        .into_any()
    }

    /// Renders a control with its label, its hint and its errors.
    fn wrap(self, control: impl FnOnce(FieldAttributes) -> AnyView) -> AnyView {
        let Self { form_errors, path, name, label, hint } = self;
        let id = anchor(&path, false);
        let errors = form_errors.with_value(|errors| {
            let own = errors.iter().filter(|error| is_at(&error.path, &path));
            // The label is the subject of the message, unless the field contains several values.
            let text = |error: &FieldError| {
                if error.path == path {
                    messages::sentence(&error.message)
                } else {
                    words::error(error)
                }
            };
            own.map(text).collect::<Vec<_>>()
        });
        let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
        let attributes = FieldAttributes {
            id: id.clone(),
            name,
            described_by: format!("{hint_id} {error_id}"),
            invalid: (!errors.is_empty()).then_some("true"),
        };
        let errors =
            errors.into_iter().map(|text| view! { <bdi>{quoted(&text)}</bdi> }).collect_view();
        view! {
            <div class="field">
                <label for=id>{label}</label>
                {control(attributes)}
                <small id=hint_id class="text-muted">
                    {hint}
                </small>
                <p id=error_id class="field-error">
                    {errors}
                </p>
            </div>
        }
        .into_any()
    }
}
