//! One question of a form, while somebody writes it.

use contract::form::FieldType;
use leptos::prelude::*;

use super::entry::Entry;
use crate::{
    text::words::hosted as say,
    ui::faults::Told,
    view::{
        editor::is_at,
        hosted::{FormAct, QuestionChange, QuestionForm},
    },
};

/// The questions in order, and the button for one more. `at` is the one that was changed last.
#[component]
pub(super) fn Questions(
    told: Told,
    questions: Vec<QuestionForm>,
    at: Option<u32>,
) -> impl IntoView {
    let count = questions.len();
    // The summary of what is wrong takes the focus, where there is one.
    let at = at.filter(|_| told.with_value(Vec::is_empty));
    let at = at.and_then(|at| usize::try_from(at).ok());
    let questions = questions.into_iter().enumerate();
    let questions = questions.map(|(place, question)| {
        let is_last = place + 1 == count;
        view! { <Card told place is_last is_new=at == Some(place) question/> }
    });
    let none = (count == 0).then(|| view! { <p class="text-muted">{say::NO_QUESTIONS}</p> });
    view! {
        {none}
        <ol class="plain-list questions">{questions.collect_view()}</ol>
        <div class="row">
            <button name="act" value=QuestionChange::Add.word() autofocus=at.is_some() && count == 0>
                {say::ADD}
            </button>
        </div>
    }
}

/// A question that opens, with the buttons that move and remove it.
#[component]
fn Card(
    told: Told,
    place: usize,
    is_last: bool,
    is_new: bool,
    question: QuestionForm,
) -> impl IntoView {
    let path = format!("/fields/{place}");
    let is_faulty = told.with_value(|faults| faults.iter().any(|fault| is_at(&fault.path, &path)));
    let label = question.label.clone();
    let title = say::question(place, &label);
    let kind = question.kind.parse().map(say::kind).unwrap_or_default();
    let must = question.required.is_some().then_some(say::REQUIRED);
    let press = |change: QuestionChange, word: &'static str| {
        let name = say::at_question(word, place, &label);
        let act = FormAct::Change(change).word();
        view! { <button class="small" name="act" value=act aria-label=name>{word}</button> }
    };
    let here = u32::try_from(place).unwrap_or(u32::MAX);
    let up = (place > 0).then(|| press(QuestionChange::Up(here), say::UP));
    let down = (!is_last).then(|| press(QuestionChange::Down(here), say::DOWN));
    view! {
        <li class="question">
            <details open=is_new || is_faulty>
                <summary id=format!("fields-{place}") autofocus=is_new>
                    <bdi class="font-semibold">{title.clone()}</bdi>
                    <span class="text-muted">{kind}</span>
                    <span class="text-muted">{must}</span>
                </summary>
                <fieldset class="bare stack">
                    <legend class="sr-only">{title}</legend>
                    <Fields told place question/>
                </fieldset>
            </details>
            <div class="row">{up} {down} {press(QuestionChange::Remove(here), say::REMOVE)}</div>
        </li>
    }
}

/// The fields of a question. The style sheet shows those of the type that is chosen, so that the choice
/// needs no scripts, and what was typed for another type is not lost.
#[component]
fn Fields(told: Told, place: usize, question: QuestionForm) -> impl IntoView {
    // What the wire calls a member, and what the browser sends it as.
    let entry = |member: &str, name: &str, label: &'static str, hint: &'static str| Entry {
        told,
        path: format!("/fields/{place}/{member}"),
        name: format!("form[questions][{place}][{name}]"),
        label,
        hint,
    };
    let kinds = FieldType::ALL.iter().map(|kind| (kind.as_str(), say::kind(*kind))).collect();
    view! {
        {entry("label", "label", say::QUESTION, "").line(question.label)}
        <div class="pair">
            {entry("name", "name", say::FIELD, say::FIELD_HINT).line(question.name)}
            <div class="kind">
                {entry("type", "kind", say::TYPE, "").choice(kinds, &question.kind)}
            </div>
        </div>
        {entry("required", "required", say::REQUIRED, "").tick(question.required.is_some())}
        <div data-of="options">
            {entry("options", "options", say::OPTIONS, say::OPTIONS_HINT).area(5, question.options)}
        </div>
        <div class="pair" data-of="number">
            {entry("min", "min", say::MIN, say::OPTIONAL).line(question.min)}
            {entry("max", "max", say::MAX, say::OPTIONAL).line(question.max)}
        </div>
        <div class="pair" data-of="text">
            {entry("min_length", "min_length", say::MIN_LENGTH, say::OPTIONAL)
                .line(question.min_length)}
            {entry("max_length", "max_length", say::MAX_LENGTH, say::OPTIONAL)
                .line(question.max_length)}
            {entry("pattern", "pattern", say::PATTERN, say::PATTERN_HINT).line(question.pattern)}
        </div>
        {entry("help", "help", say::HELP, say::OPTIONAL).area(2, question.help)}
        {entry("placeholder", "placeholder", say::PLACEHOLDER, say::OPTIONAL)
            .line(question.placeholder)}
    }
}
