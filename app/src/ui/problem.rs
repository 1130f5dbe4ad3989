//! Refusals and faults: as a page, and in place.

use leptos::{html, prelude::*};

use super::{
    code::Id,
    heading::Heading,
    icon::{Icon, icon},
    quoted::quoted,
};
use crate::{
    problem::Problem,
    text::{
        refusal::{Said, say},
        words,
    },
};

/// A page that could not be shown: what happened, what to do, and the request's name.
#[component]
pub(crate) fn ProblemPage(problem: Problem) -> impl IntoView {
    let Said { title, text, next } = say(&problem);
    view! {
        <section class="problem">
            <p class="text-muted tabular-nums">{problem.status}</p>
            <Heading title/>
            <p>{quoted(&text)}</p>
            <p>{next}</p>
            <p class="row">
                <a class="button" href="" rel="external">
                    {words::RETRY}
                </a>
                <a href="/">{words::HOME}</a>
            </p>
            <SmallPrint problem/>
        </section>
    }
}

/// A refusal beside the form that it belongs to. It takes the focus: the button that was pressed
/// lost it.
#[component]
pub(crate) fn ProblemNote(problem: Problem) -> impl IntoView {
    let Said { text, next, .. } = say(&problem);
    let note = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(note) = note.get() {
            let _ = note.focus();
        }
    });
    view! {
        <div node_ref=note class="note deny" role="alert" tabindex="-1">
            {icon(Icon::Deny)}
            <div>
                <p class="font-semibold">{quoted(&text)}</p>
                <p>{next}</p>
                <SmallPrint problem/>
            </div>
        </div>
    }
}

/// Code and correlation id, for those who are asked for them.
#[component]
fn SmallPrint(problem: Problem) -> impl IntoView {
    view! {
        <p class="text-xs text-muted">
            {problem.code} " "
            {problem.correlation_id.map(|id| view! { <Id id=id.into_string() what=words::CORRELATION_ID/> })}
        </p>
    }
}
