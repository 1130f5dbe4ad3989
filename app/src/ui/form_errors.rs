//! Forms that show each error next to its field. The IDs of fields are the names of wire members.

use contract::error::FieldError;
use leptos::prelude::*;

use super::{
    icon::{Icon, icon},
    inline_code::quoted,
};
use crate::text::{
    between_tags,
    errors::{self, is_at},
    messages,
};

/// The list of errors, each with a link to its field. The list takes the focus.
#[component]
pub(crate) fn ErrorSummary(
    errors: Vec<FieldError>,
    /// Wire member and label of each field.
    labels: &'static [(&'static str, &'static str)],
) -> impl IntoView {
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
    view! { <ErrorSummaryOf errors /> }
}

/// The list of errors: the ID of each field and a sentence. It takes the focus, also on a page without
/// scripts.
#[component]
pub(crate) fn ErrorSummaryOf(errors: Vec<(String, String)>) -> impl IntoView {
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

pub(crate) type FormErrors = StoredValue<Vec<FieldError>>;

/// Returns the value of `aria-invalid` for the control of a member.
pub(crate) fn invalid(form_errors: FormErrors, member: &str) -> Option<&'static str> {
    let path = format!("/{member}");
    let is_invalid =
        form_errors.with_value(|errors| errors.iter().any(|error| is_at(&error.path, &path)));
    is_invalid.then_some("true")
}

pub(crate) fn field_error(form_errors: FormErrors, member: &str) -> impl IntoView + use<> {
    let path = format!("/{member}");
    let errors = form_errors.with_value(|errors| {
        let own = errors.iter().filter(|error| is_at(&error.path, &path));
        own.map(|error| messages::sentence(&error.message)).collect::<Vec<_>>()
    });
    let id = format!("{member}-error");
    view! {
        <p id=id class="field-error">
            {errors.into_iter().map(|text| view! { <bdi>{quoted(&text)}</bdi> }).collect_view()}
        </p>
    }
}

pub(crate) struct FormField {
    pub(crate) form_errors: FormErrors,
    pub(crate) name: &'static str,
    pub(crate) member: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
}

impl FormField {
    /// Renders a single-line field.
    pub(crate) fn line(self, value: String, is_readonly: bool) -> AnyView {
        let Self { name, member, .. } = self;
        let control = view! {
            <input
                id=member
                name=format!("form[{name}]")
                value=value
                readonly=is_readonly
                autocomplete="off"
                spellcheck="false"
                aria-describedby=format!("{member}-hint {member}-error")
                aria-invalid=invalid(self.form_errors, member)
            />
        };
        self.wrap(control.into_any())
    }

    pub(crate) fn area(self, value: String) -> AnyView {
        let Self { name, member, .. } = self;
        let control = view! {
            <textarea
                id=member
                name=format!("form[{name}]")
                rows="3"
                aria-describedby=format!("{member}-hint {member}-error")
                aria-invalid=invalid(self.form_errors, member)
            >
                {between_tags(value)}
            </textarea>
        };
        self.wrap(control.into_any())
    }

    fn wrap(self, control: AnyView) -> AnyView {
        let Self { form_errors, member, label, hint, .. } = self;
        view! {
            <div class="field">
                <label for=member>{label}</label>
                {control}
                <small id=format!("{member}-hint") class="text-muted">
                    {hint}
                </small>
                {field_error(form_errors, member)}
            </div>
        }
        .into_any()
    }
}
