//! The badge of the status of a form, and the preview of its questions, as the public page shows them.

use contract::form::{FieldType, FormField};
use leptos::prelude::*;

use super::{view::FormEdit, words};
use crate::ui::{badge::badge, icon::Icon, inline_code::quoted};

/// The status of a form.
#[component]
pub(crate) fn FormBadge(is_published: bool) -> impl IntoView {
    if is_published {
        badge("allow", Icon::Allow, words::PUBLISHED)
    } else {
        badge("na", Icon::Pen, words::UNPUBLISHED)
    }
}

/// Renders the valid questions.
pub(crate) fn valid_questions(form: &FormEdit) -> AnyView {
    let fields = form.fields().unwrap_or_else(|_| form.sound_fields());
    let fields = fields.into_iter().map(|field| view! { <Question field /> }).collect_view();
    view! { <div class="stack">{fields}</div> }.into_any()
}

/// Renders the preview while the form is edited: the errors, then the valid questions.
pub(crate) fn preview(form: &FormEdit) -> AnyView {
    let errors = form.fields().err().map(|errors| {
        let item = |error| {
            view! {
                <li>
                    <bdi>{quoted(&words::error(&error))}</bdi>
                </li>
            }
        };
        let errors = errors.into_iter().map(item).collect_view();
        view! {
            <div role="status">
                <ul class="plain-list error-list">{errors}</ul>
            </div>
        }
    });
    view! { <div class="stack">{errors} {valid_questions(form)}</div> }.into_any()
}

#[component]
fn Question(field: FormField) -> impl IntoView {
    let required_mark = field.is_required().then(|| {
        view! { <span class="text-muted">" " {crate::hosted_form::words::REQUIRED_MARK}</span> }
    });
    let options: Vec<String> =
        field.options_or_empty().iter().map(|option| option.label.clone()).collect();
    let options = (!options.is_empty()).then(|| {
        let options = options.into_iter().map(|label| {
            view! {
                <li>
                    <bdi>{label}</bdi>
                </li>
            }
        });
        view! { <ul class="preview-options">{options.collect_view()}</ul> }
    });
    let class = match field.kind {
        FieldType::Textarea => "preview-box tall",
        kind if kind.has_options() => "",
        _ => "preview-box",
    };
    let input_box = (!class.is_empty()).then(|| {
        view! {
            <div class=class>
                <bdi class="text-muted">{field.placeholder.clone().unwrap_or_default()}</bdi>
            </div>
        }
    });
    view! {
        <div class="field">
            <span>
                <bdi>{field.label.clone()}</bdi>
                {required_mark}
            </span>
            {field
                .help
                .clone()
                .map(|help| {
                    view! {
                        <small class="text-muted">
                            <bdi>{help}</bdi>
                        </small>
                    }
                })}
            {options}
            {input_box}
        </div>
    }
}
