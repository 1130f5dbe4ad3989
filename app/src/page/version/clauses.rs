//! The clauses that the rules come from, each with what became of it and what the lint says.

use leptos::prelude::*;

use crate::{
    text::{number::count, words},
    ui::clause::{ClauseText, Document, LintFailed},
    view::clause::{ClauseLine, Clauses},
};

/// The clauses in the order of their document.
#[component]
pub(super) fn ClauseList(clauses: Clauses) -> impl IntoView {
    let Clauses { document, url, lines, linted, .. } = clauses;
    let number = count(lines.len(), "clause", "clauses");
    let failed = linted.failed.map(|reason| view! { <LintFailed reason/> });
    let line = |line: ClauseLine| {
        view! {
            <li>
                <ClauseText line linked=true/>
            </li>
        }
    };
    view! {
        <section class="card">
            <div class="card-head">
                <h2>{words::clause::TITLE}</h2>
                <p class="text-muted text-xs">{number} " · " <Document name=document url/></p>
            </div>
            {failed}
            <ol class="rules">{lines.into_iter().map(line).collect_view()}</ol>
        </section>
    }
}
