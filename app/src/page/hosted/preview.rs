//! The questions of a form as the public will read them.

use contract::form::{FieldType, FormField};
use leptos::prelude::*;

use crate::{text::words, ui::quoted::quoted, view::hosted::FormEdit};

/// The questions that are as they must be.
pub(super) fn sound(form: &FormEdit) -> AnyView {
    let fields = form.fields().unwrap_or_else(|_| form.sound_fields());
    let fields = fields.into_iter().map(|field| view! { <Question field/> }).collect_view();
    view! { <div class="stack">{fields}</div> }.into_any()
}

/// The questions while they are typed; of those that are not as they must be, what is wrong.
pub(crate) fn preview(form: &FormEdit) -> AnyView {
    let faults = form.fields().err().map(|faults| {
        let fault = |fault| view! { <li><bdi>{quoted(&words::hosted::fault(&fault))}</bdi></li> };
        let faults = faults.into_iter().map(fault).collect_view();
        view! {
            <div role="status">
                <ul class="plain-list faults">{faults}</ul>
            </div>
        }
    });
    view! { <div class="stack">{faults} {sound(form)}</div> }.into_any()
}

#[component]
fn Question(field: FormField) -> impl IntoView {
    let must = field.is_required().then(|| {
        view! { <span class="text-muted">" " {crate::text::form::REQUIRED}</span> }
    });
    let options: Vec<String> = field.choices().iter().map(|option| option.label.clone()).collect();
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
    let shown = match field.kind {
        FieldType::Textarea => "preview-box tall",
        kind if kind.has_options() => "",
        _ => "preview-box",
    };
    let blank = (!shown.is_empty()).then(|| {
        view! {
            <div class=shown>
                <bdi class="text-muted">{field.placeholder.clone().unwrap_or_default()}</bdi>
            </div>
        }
    });
    view! {
        <div class="field">
            <span>
                <bdi>{field.label.clone()}</bdi>
                {must}
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
            {blank}
        </div>
    }
}
