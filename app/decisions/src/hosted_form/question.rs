//! The questions in the editor.

use kit::text::errors::is_at;
use page_kit::prelude::*;

use super::{
    field::{OPTIONAL, field, question_number},
    input::{FormAct, QuestionForm},
};

/// Renders the questions in order, and the button that adds one. `changed` is the index of the last changed question.
pub(super) fn questions(
    errors: &[FieldError],
    questions: Vec<QuestionForm>,
    changed: Option<usize>,
) -> AnyView {
    // If there are errors, their summary takes the focus.
    let changed = changed.filter(|_| errors.is_empty());
    let count = questions.len();
    let none = (count == 0)
        .then(|| view! { <p class="text-muted">"No questions. A form needs at least one."</p> });
    let cards: Vec<_> = questions
        .into_iter()
        .enumerate()
        .map(|(index, question)| {
            card(errors, index, index + 1 == count, changed == Some(index), question)
        })
        .collect();
    any_view! {
        {none}
        <ol class="plain-list questions">{cards}</ol>
        <div class="row">
            <button name="act" value=FormAct::Add.word() autofocus=changed.is_some() && count == 0>
                "Add a question"
            </button>
        </div>
    }
}

/// Renders a collapsible question, with the buttons that move and remove it.
fn card(
    errors: &[FieldError],
    index: usize,
    is_last: bool,
    is_new: bool,
    question: QuestionForm,
) -> AnyView {
    let path = format!("/fields/{index}");
    let has_errors = errors.iter().any(|error| is_at(&error.path, &path));
    let number = question_number(index);
    let label = isolated(&question.label).into_owned();
    let title = format!("{number}: {label}");
    let kind = question.kind.parse().map(kind).unwrap_or_default();
    let required_mark = question.required.is_some().then_some("Required");
    let button = |act: FormAct, action: &'static str| {
        // For example "Remove question 2: Amount".
        let name = format!("{action} {}: {label}", number.to_lowercase());
        view! {
            <button class="small" name="act" value=act.word() aria-label=name>
                {action}
            </button>
        }
    };
    let up = (index > 0).then(|| button(FormAct::Up(index), "Up"));
    let down = (!is_last).then(|| button(FormAct::Down(index), "Down"));
    any_view! {
        <li class="question">
            <details open=is_new || has_errors>
                <summary id=format!("fields-{index}") autofocus=is_new>
                    <bdi class="font-semibold">{title.clone()}</bdi>
                    <span class="text-muted">{kind}</span>
                    <span class="text-muted">{required_mark}</span>
                </summary>
                <fieldset class="bare stack">
                    <legend class="sr-only">{title}</legend>
                    {fields(errors, index, question)}
                </fieldset>
            </details>
            <div class="row">{up} {down} {button(FormAct::Remove(index), "Remove")}</div>
        </li>
    }
}

const fn kind(kind: FieldType) -> &'static str {
    match kind {
        FieldType::Text => "One line of text",
        FieldType::Textarea => "Several lines of text",
        FieldType::Number => "Number",
        FieldType::Date => "Day",
        FieldType::Datetime => "Day and time",
        FieldType::Boolean => "Yes or no",
        FieldType::Select => "One of the options",
        FieldType::Multiselect => "Any of the options",
        FieldType::Email => "Email address",
        FieldType::Url => "URL",
    }
}

/// Renders the fields of a question. The style sheet shows those of the selected type, so that the selection works
/// without scripts and does not delete input for other types.
fn fields(errors: &[FieldError], index: usize, question: QuestionForm) -> AnyView {
    // `member` is the name on the wire, `name` the one in the browser's request.
    let named = |member: &str, name: &str, hint| {
        let path = format!("/fields/{index}/{member}");
        field(errors, &path, format!("form[questions][{index}][{name}]"), hint)
    };
    let field = |member: &str, hint| named(member, member, hint);
    let required = view! {
        <label class="checkbox">
            <input
                type="checkbox"
                id=format!("fields-{index}-required")
                name=format!("form[questions][{index}][required]")
                value=TICKED
                checked=question.required.is_some()
            />
            <span>"Required"</span>
        </label>
    };
    let kinds = FieldType::ALL.map(|own| (own.as_str(), kind(own)));
    any_view! {
        {field("label", "").input("text", question.label)}
        <div class="pair">
            {field("name", "The name that rules read, such as contract.value.")
                .input("text", question.name)}
            <div class="kind">{named("type", "kind", "").choice(kinds, &question.kind)}</div>
        </div>
        {required}
        <div data-of="options">
            {field(
                    "options",
                    "One per line: value | label. Numbers, true and false keep their type; put text that looks like one in quotes: \"1\" | One.",
                )
                .area(5, question.options)}
        </div>
        <div class="pair" data-of="number">
            {field("min", OPTIONAL).input("text", question.min)}
            {field("max", OPTIONAL).input("text", question.max)}
        </div>
        <div class="pair" data-of="text">
            {field("min_length", OPTIONAL).input("text", question.min_length)}
            {field("max_length", OPTIONAL).input("text", question.max_length)}
            {field("pattern", "RE2 syntax. Use ^ and $ to match the whole answer.")
                .input("text", question.pattern)}
        </div>
        {field("help", OPTIONAL).area(2, question.help)}
        {field("placeholder", OPTIONAL).input("text", question.placeholder)}
    }
}
