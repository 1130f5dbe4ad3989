//! The clauses of a version's rules, each with its disposition and lint findings.

use leptos::prelude::*;

use crate::{
    clause::{
        markup::{ClauseText, Document, LintFailed},
        view::{ClauseLine, Clauses},
        words as clause_words,
    },
    text::number::count,
};

/// The clauses in document order.
#[component]
pub(super) fn ClauseList(
    clauses: Clauses,
    /// Whether the rules of the version are on several pages.
    is_paged: bool,
) -> impl IntoView {
    let Clauses { document, url, lines, linted, .. } = clauses;
    let clause_count = count(lines.len(), "clause", "clauses");
    let failed = linted.failed.map(|reason| view! { <LintFailed reason /> });
    let item = |line: ClauseLine| {
        view! {
            <li>
                <ClauseText line linked=true is_paged />
            </li>
        }
    };
    view! {
        <section class="card">
            <div class="card-head">
                <h2>{clause_words::TITLE}</h2>
                <p class="text-muted text-xs">
                    {clause_count} " · " <Document name=document url />
                </p>
            </div>
            {failed}
            <ol class="rules">{lines.into_iter().map(item).collect_view()}</ol>
        </section>
    }
}
