//! Forms that show each error next to its field. The IDs of fields are the names of wire members.

use contract::error::FieldError;
use kit::any_view;
use leptos::prelude::*;

use super::{
    field::options,
    icon::{Icon, icon},
    inline_code::quoted,
};
use crate::text::{
    between_tags,
    errors::{self, is_at},
    messages,
};

/// Renders the list of errors, each with a link to its field. The list takes the focus. `labels` are the members and the
/// labels of the fields.
pub fn error_summary(
    errors: Vec<FieldError>,
    labels: &'static [(&'static str, &'static str)],
) -> AnyView {
    let entry = |error: FieldError| {
        let field = error.path.split('/').nth(1).unwrap_or_default().to_owned();
        let label = labels.iter().find(|(member, _)| *member == field);
        let text = match label {
            Some((_, label)) => format!("{label}: {}", error.message),
            None => error.message,
        };
        (field, messages::sentence(&text))
    };
    let errors: Vec<_> = errors.into_iter().map(entry).collect();
    any_view! { <ErrorSummaryOf errors /> }
}

/// The list of errors: the ID of each field and a sentence. It takes the focus, also on a page without
/// scripts.
#[component]
pub fn ErrorSummaryOf(errors: Vec<(String, String)>) -> impl IntoView {
    let count = errors.len();
    let entry = |(field, text): (String, String)| {
        view! {
            <li>
                <a href=format!("#{field}") rel="external">
                    <bdi>{quoted(&text)}</bdi>
                </a>
            </li>
        }
    };
    view! {
        <div class="note deny" role="alert" tabindex="-1" autofocus=true>
            {icon(Icon::Deny)}
            <div>
                <p class="font-semibold">{errors::fields(count)}</p>
                <ul class="plain-list error-list">
                    {errors.into_iter().map(entry).collect_view()}
                </ul>
            </div>
        </div>
    }
}

/// A field with its label, its hint and its errors. The ID of the control is the member with hyphens for slashes.
pub struct MemberField<'a> {
    errors: &'a [FieldError],
    label: &'static str,
    /// The wire member of its value, such as `token_budget/limit`.
    member: String,
    /// Its name in the request.
    name: String,
    hint: Option<&'static str>,
    /// Returns the text of the error of a part of the value.
    of_part: fn(&FieldError) -> String,
}

/// The attributes that connect a control with its label, hint and errors.
pub struct Control {
    pub id: String,
    pub name: String,
    pub described_by: String,
    pub invalid: Option<&'static str>,
}

impl<'a> MemberField<'a> {
    pub fn new(
        errors: &'a [FieldError],
        label: &'static str,
        member: impl Into<String>,
        name: impl Into<String>,
    ) -> Self {
        let (member, name) = (member.into(), name.into());
        let of_part = |error: &FieldError| messages::sentence(&error.message);
        Self { errors, label, member, name, hint: None, of_part }
    }

    pub fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// Sets the text of the errors of parts of the value, which the label does not name.
    pub fn parts(self, of_part: fn(&FieldError) -> String) -> Self {
        Self { of_part, ..self }
    }

    /// Renders a single-line field.
    pub fn line(self, value: String, is_readonly: bool) -> AnyView {
        self.line_of(None, "off", value, is_readonly)
    }

    /// Renders a single-line field of a type.
    pub fn input(self, kind: &'static str, value: String) -> AnyView {
        let autocomplete = if kind == "password" { "new-password" } else { "off" };
        self.line_of(Some(kind), autocomplete, value, false)
    }

    fn line_of(
        self,
        kind: Option<&'static str>,
        autocomplete: &'static str,
        value: String,
        is_readonly: bool,
    ) -> AnyView {
        self.wrap(|Control { id, name, described_by, invalid }| {
            any_view! {
                <input
                    id=id
                    type=kind
                    name=name
                    value=value
                    readonly=is_readonly
                    autocomplete=autocomplete
                    spellcheck="false"
                    aria-describedby=described_by
                    aria-invalid=invalid
                />
            }
        })
    }

    /// Renders a field of several lines.
    pub fn area(self, rows: u8, value: String) -> AnyView {
        self.wrap(|Control { id, name, described_by, invalid }| {
            any_view! {
                <textarea
                    id=id
                    name=name
                    rows=rows
                    aria-describedby=described_by
                    aria-invalid=invalid
                >
                    {between_tags(value)}
                </textarea>
            }
        })
    }

    /// Renders a selection list with the value and the label of each choice.
    pub fn choice<V: Into<String>, L: Into<String>>(
        self,
        choices: impl IntoIterator<Item = (V, L)>,
        value: &str,
    ) -> AnyView {
        let options = options(choices, value);
        self.wrap(|Control { id, name, described_by, invalid }| {
            any_view! {
                <select id=id name=name aria-describedby=described_by aria-invalid=invalid>
                    {options}
                </select>
            }
        })
    }

    /// Renders a control with its label, its hint and its errors.
    pub fn wrap(self, control: impl FnOnce(Control) -> AnyView) -> AnyView {
        let (id, path) = (self.member.replace('/', "-"), format!("/{}", self.member));
        let text = |error: &FieldError| {
            if error.path == path {
                messages::sentence(&error.message)
            } else {
                (self.of_part)(error)
            }
        };
        let own = self.errors.iter().filter(|error| is_at(&error.path, &path));
        let errors: Vec<_> = own.map(|error| view! { <bdi>{quoted(&text(error))}</bdi> }).collect();
        let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
        let has_hint = self.hint.is_some();
        let control = control(Control {
            id: id.clone(),
            name: self.name,
            described_by: if has_hint { format!("{hint_id} {error_id}") } else { error_id.clone() },
            invalid: (!errors.is_empty()).then_some("true"),
        });
        let hint = self.hint.map(|hint| {
            view! {
                <small id=hint_id class="text-muted">
                    {hint}
                </small>
            }
        });
        any_view! {
            <div class="field">
                <label for=id>{self.label}</label>
                {control}
                {hint}
                <p id=error_id class="field-error">
                    {errors}
                </p>
            </div>
        }
    }
}
