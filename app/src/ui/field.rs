//! Fields of forms: the label is always visible, a hint and an error stand in words beside it.

use leptos::prelude::*;

use crate::text::between_tags;

/// A one-line text.
#[component]
pub(crate) fn TextField(
    label: &'static str,
    name: &'static str,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional, into)] value: String,
    #[prop(optional)] autocomplete: Option<&'static str>,
    #[prop(optional)] required: bool,
    #[prop(optional)] autofocus: bool,
) -> impl IntoView {
    let step = (kind == "datetime-local").then_some("1");
    // Only in the server's answer: a page that scripts put together has its focus already.
    let autofocus = autofocus && cfg!(feature = "ssr");
    view! {
        <label class="field">
            <span>{label}</span>
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

/// A one-line text with more about it below.
#[component]
pub(crate) fn HintedField(
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

/// A choice among few words.
#[component]
pub(crate) fn SelectField(
    label: &'static str,
    name: &'static str,
    /// Value and word of each choice.
    choices: Vec<(&'static str, &'static str)>,
    #[prop(into)] value: String,
    #[prop(optional)] required: bool,
) -> impl IntoView {
    let option = move |(choice, word): (&'static str, &'static str)| {
        view! { <option value=choice selected=choice == value>{word}</option> }
    };
    view! {
        <label class="field">
            <span>{label}</span>
            <select name=name required=required>{choices.into_iter().map(option).collect_view()}</select>
        </label>
    }
}

/// Several lines.
#[component]
pub(crate) fn TextArea(
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
