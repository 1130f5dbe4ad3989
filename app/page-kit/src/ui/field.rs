//! Form fields. The label is always visible; hints and errors are text next to the field.

pub use kit::ui::field::options;
use leptos::prelude::*;

use crate::text::{between_tags, time};

/// A field. A label that ends with "(UTC)" names the zone of the user instead.
#[component]
pub fn TextField(
    label: &'static str,
    name: &'static str,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional, into)] value: String,
    #[prop(optional)] autocomplete: Option<&'static str>,
    #[prop(optional)] required: bool,
    #[prop(optional)] autofocus: bool,
) -> impl IntoView {
    let step = (kind == "datetime-local").then_some("1");
    view! {
        <label class="field">
            <span>{time::head(label)}</span>
            <input
                type=kind
                name=name
                value=value
                step=step
                autocomplete=autocomplete.unwrap_or("off")
                required=required
                autofocus=autofocus
                spellcheck="false"
            />
        </label>
    }
}

#[component]
pub fn HintedField(
    label: &'static str,
    hint: &'static str,
    name: &'static str,
    id: &'static str,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional, into)] value: String,
    #[prop(optional)] autocomplete: Option<&'static str>,
    #[prop(optional)] required: bool,
    #[prop(optional)] maxlength: Option<u32>,
) -> impl IntoView {
    let hint_id = format!("{id}-hint");
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                id=id
                type=kind
                name=name
                value=value
                autocomplete=autocomplete.unwrap_or("off")
                required=required
                maxlength=maxlength
                spellcheck="false"
                aria-describedby=hint_id.clone()
            />
            <small id=hint_id class="text-muted">
                {hint}
            </small>
        </div>
    }
}

#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub fn SelectField(
    label: &'static str,
    name: &'static str,
    /// Value and label of each choice.
    choices: Vec<(&'static str, &'static str)>,
    #[prop(into)] value: String,
    #[prop(optional)] required: bool,
) -> impl IntoView {
    view! {
        <label class="field">
            <span>{label}</span>
            <select name=name required=required>
                {options(choices, &value)}
            </select>
        </label>
    }
}

/// A text field that suggests values. Other values are also accepted.
#[component]
pub fn SuggestField(
    label: &'static str,
    name: &'static str,
    #[prop(into)] value: String,
    suggestions: Vec<String>,
) -> impl IntoView {
    let list = format!("{name}-suggestions");
    let option = |value: String| view! { <option value=value></option> };
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                type="text"
                name=name
                value=value
                list=list.clone()
                autocomplete="off"
                spellcheck="false"
            />
        </label>
        <datalist id=list>{suggestions.into_iter().map(option).collect_view()}</datalist>
    }
}

#[component]
pub fn TextArea(
    label: &'static str,
    hint: &'static str,
    name: &'static str,
    id: String,
    #[prop(into)] value: String,
    maxlength: u32,
    required: bool,
) -> impl IntoView {
    let hint_id = format!("{id}-hint");
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <textarea
                id=id
                name=name
                rows="3"
                maxlength=maxlength
                required=required
                aria-describedby=hint_id.clone()
            >
                {between_tags(value)}
            </textarea>
            <small id=hint_id class="text-muted">
                {hint}
            </small>
        </div>
    }
}

/// Renders hidden fields. Fields without a value are left out.
pub fn hidden<N: Into<String>>(fields: Vec<(N, String)>) -> AnyView {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
    fields
        .map(|(name, value)| view! { <input type="hidden" name=name.into() value=value /> })
        .collect_view()
        .into_any()
}
