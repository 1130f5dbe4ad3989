//! Beside each rule: the clause that it comes from, and what the lint says of it.

use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    text::words,
    ui::{
        clause::{ClauseText, Document, LintFailed},
        icon::{Icon, icon},
        rule::Beside,
    },
    view::{
        clause::{ClauseLine, Clauses, Linted},
        review::{Change, ChangeKind},
    },
};

/// The clauses behind a rule as it is now; nothing where it is gone, or where there are no clauses.
pub(super) fn behind(clauses: Option<&Clauses>, change: &Change) -> Option<Vec<ClauseLine>> {
    let clauses = clauses.filter(|_| change.kind != ChangeKind::Removed)?;
    Some(clauses.behind(&change.code))
}

/// The same for a list of rules.
pub(super) fn beside(clauses: Option<Clauses>) -> Option<Beside> {
    let clauses = clauses?;
    Some(Arc::new(move |code: &str| {
        let lines = clauses.behind(code);
        view! { <Behind lines/> }.into_any()
    }))
}

/// The clauses behind one rule.
#[component]
pub(super) fn Behind(lines: Vec<ClauseLine>) -> impl IntoView {
    let none = lines.is_empty().then(|| {
        view! { <p class="text-muted">{words::clause::NONE_BEHIND}</p> }
    });
    let line = |line| view! { <ClauseText line/> };
    view! {
        <div class="clause">
            <h3 class="text-xs text-muted">{words::clause::BESIDE}</h3>
            {none} {lines.into_iter().map(line).collect_view()}
        </div>
    }
}

/// How the rules came from their document, and who looked at both.
#[component]
pub(super) fn Codification(clauses: Option<Clauses>) -> impl IntoView {
    let Some(clauses) = clauses else {
        return view! { <p class="text-muted">{words::clause::NOT_CODIFIED}</p> }.into_any();
    };
    let Clauses { document, url, counts, refusals, linted, .. } = clauses;
    let refusal = |text: String| {
        view! {
            <div class="note deny">
                {icon(Icon::Deny)}
                <p><bdi>{text}</bdi></p>
            </div>
        }
    };
    let counts = words::clause::counts(counts).map(|count| view! { <li>{count}</li> });
    let Linted { by, questions, floor, failed } = linted;
    let said = failed.is_none().then(|| {
        let text = words::clause::linted(&by, questions.as_deref(), floor);
        view! { <p class="text-xs text-muted"><bdi>{text}</bdi></p> }
    });
    let failed = failed.map(|reason| view! { <LintFailed reason/> });
    view! {
        <section class="card stack" aria-labelledby="codification">
            <div class="card-head">
                <h2 id="codification">{words::clause::CODIFICATION}</h2>
                <p class="text-muted text-xs"><Document name=document url/></p>
            </div>
            {refusals.into_iter().map(refusal).collect_view()}
            <ul class="strip">{counts}</ul>
            {failed} {said}
        </section>
    }
    .into_any()
}

/// The clauses that stand beside no rule.
#[component]
pub(super) fn OtherClauses(clauses: Option<Clauses>) -> impl IntoView {
    let others = clauses.map(|clauses| clauses.without_rule()).filter(|lines| !lines.is_empty())?;
    let line = |line: ClauseLine| {
        view! {
            <li>
                <ClauseText line/>
            </li>
        }
    };
    Some(view! {
        <section class="card" aria-labelledby="other-clauses">
            <div class="card-head">
                <h2 id="other-clauses">{words::clause::OTHERS}</h2>
                <p class="text-muted text-xs">{words::clause::OTHERS_SAY}</p>
            </div>
            <ol class="rules">{others.into_iter().map(line).collect_view()}</ol>
        </section>
    })
}
