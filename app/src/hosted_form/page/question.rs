//! One question of a form in the form editor.

use contract::form::FieldType;
use leptos::prelude::*;

use super::field::FormFieldInput;
use kit::text::errors::is_at;

use crate::{
    hosted_form::{
        view::{FormAct, QuestionChange, QuestionForm},
        words as strings,
    },
    ui::form_errors::FormErrors,
};

/// The questions in order, and the button to add one. `changed` is the index of the last changed question.
#[component]
pub(super) fn Questions(
    form_errors: FormErrors,
    questions: Vec<QuestionForm>,
    changed: Option<u32>,
) -> impl IntoView {
    let count = questions.len();
    // If there are errors, their summary takes the focus.
    let changed = changed.filter(|_| form_errors.with_value(Vec::is_empty));
    let changed = changed.and_then(|changed| usize::try_from(changed).ok());
    let questions = questions.into_iter().enumerate().map(|(index, question)| {
        let is_last = index + 1 == count;
        view! { <Card form_errors index is_last is_new=changed == Some(index) question /> }
    });
    let none = (count == 0).then(|| view! { <p class="text-muted">{strings::NO_QUESTIONS}</p> });
    view! {
        {none}
        <ol class="plain-list questions">{questions.collect_view()}</ol>
        <div class="row">
            <button
                name="act"
                value=QuestionChange::Add.word()
                autofocus=changed.is_some() && count == 0
            >
                {strings::ADD}
            </button>
        </div>
    }
}

/// A collapsible question, with the buttons that move and remove it.
#[component]
fn Card(
    form_errors: FormErrors,
    index: usize,
    is_last: bool,
    is_new: bool,
    question: QuestionForm,
) -> impl IntoView {
    let path = format!("/fields/{index}");
    let has_errors =
        form_errors.with_value(|errors| errors.iter().any(|error| is_at(&error.path, &path)));
    let label = question.label.clone();
    let title = strings::question(index, &label);
    let kind = question.kind.parse().map(strings::kind).unwrap_or_default();
    let required_mark = question.required.is_some().then_some(strings::REQUIRED);
    let button = |change: QuestionChange, action_label: &'static str| {
        let name = strings::at_question(action_label, index, &label);
        let action = FormAct::Change(change).word();
        view! {
            <button class="small" name="act" value=action aria-label=name>
                {action_label}
            </button>
        }
    };
    let position = u32::try_from(index).unwrap_or(u32::MAX);
    let up = (index > 0).then(|| button(QuestionChange::Up(position), strings::UP));
    let down = (!is_last).then(|| button(QuestionChange::Down(position), strings::DOWN));
    view! {
        <li class="question">
            <details open=is_new || has_errors>
                <summary id=format!("fields-{index}") autofocus=is_new>
                    <bdi class="font-semibold">{title.clone()}</bdi>
                    <span class="text-muted">{kind}</span>
                    <span class="text-muted">{required_mark}</span>
                </summary>
                <fieldset class="bare stack">
                    <legend class="sr-only">{title}</legend>
                    <Fields form_errors index question />
                </fieldset>
            </details>
            <div class="row">
                {up} {down} {button(QuestionChange::Remove(position), strings::REMOVE)}
            </div>
        </li>
    }
}

/// The style sheet shows the fields of the selected type, so that the selection works without scripts and does
/// not delete input for other types.
#[component]
fn Fields(form_errors: FormErrors, index: usize, question: QuestionForm) -> impl IntoView {
    // `member` is the name on the wire, `name` the one in the browser's request.
    let field =
        |member: &str, name: &str, label: &'static str, hint: &'static str| FormFieldInput {
            form_errors,
            path: format!("/fields/{index}/{member}"),
            name: format!("form[questions][{index}][{name}]"),
            label,
            hint,
        };
    let kinds = FieldType::ALL.iter().map(|kind| (kind.as_str(), strings::kind(*kind))).collect();
    view! {
        {field("label", "label", strings::QUESTION, "").line(question.label)}
        <div class="pair">
            {field("name", "name", strings::FIELD, strings::FIELD_HINT).line(question.name)}
            <div class="kind">
                {field("type", "kind", strings::TYPE, "").choice(kinds, &question.kind)}
            </div>
        </div>
        {field("required", "required", strings::REQUIRED, "").checkbox(question.required.is_some())}
        <div data-of="options">
            {field("options", "options", strings::OPTIONS, strings::OPTIONS_HINT)
                .area(5, question.options)}
        </div>
        <div class="pair" data-of="number">
            {field("min", "min", strings::MIN, strings::OPTIONAL).line(question.min)}
            {field("max", "max", strings::MAX, strings::OPTIONAL).line(question.max)}
        </div>
        <div class="pair" data-of="text">
            {field("min_length", "min_length", strings::MIN_LENGTH, strings::OPTIONAL)
                .line(question.min_length)}
            {field("max_length", "max_length", strings::MAX_LENGTH, strings::OPTIONAL)
                .line(question.max_length)}
            {field("pattern", "pattern", strings::PATTERN, strings::PATTERN_HINT)
                .line(question.pattern)}
        </div>
        {field("help", "help", strings::HELP, strings::OPTIONAL).area(2, question.help)}
        {field("placeholder", "placeholder", strings::PLACEHOLDER, strings::OPTIONAL)
            .line(question.placeholder)}
    }
}
