//! The clauses next to each rule, with their lint findings.

use page_kit::prelude::*;
use rules::{
    clause::{
        markup::{ClauseText, document_name, lint_failed},
        view::{ClauseLine, Clauses, Linted},
        words as clause_words,
    },
    rule::markup::RuleAside,
};

use crate::{
    comparison::{Change, ChangeKind},
    version::Version,
};

/// Returns the clauses of a changed rule, or `None` if the rule is removed or the version has no clauses.
pub(super) fn clauses_for(clauses: Option<&Clauses>, change: &Change) -> Option<Vec<ClauseLine>> {
    let clauses = clauses.filter(|_| change.kind != ChangeKind::Removed)?;
    Some(clauses.behind(&change.code))
}

/// Returns the clauses of each rule of a list, for display next to the rule.
pub(super) fn clauses_by_rule(clauses: Option<Clauses>) -> Option<RuleAside> {
    let clauses = clauses?;
    Some(Arc::new(move |code: &str| rule_clauses(clauses.behind(code))))
}

pub(super) fn rule_clauses(lines: Vec<ClauseLine>) -> AnyView {
    let none = lines.is_empty().then(|| {
        view! { <p class="text-muted">{clause_words::NO_CLAUSE}</p> }
    });
    let line = |line| view! { <ClauseText line /> };
    any_view! {
        <div class="clause">
            <h3 class="text-xs text-muted">{clause_words::CLAUSE}</h3>
            {none}
            {lines.into_iter().map(line).collect_view()}
        </div>
    }
}

/// Renders the codification of the rules: the document, counts, the lint with its provider, and all clauses in document
/// order.
pub(super) fn codification(version: &Version) -> AnyView {
    let page = version.page();
    let is_paged = version.rules.is_paged();
    let Some(clauses) = version.clauses.clone() else {
        return any_view! { <p class="text-muted">{clause_words::NOT_CODIFIED}</p> };
    };
    let Clauses { document, url, counts, refusals, lines, linted } = clauses;
    let refusal = |text: String| note(Tone::Deny, None, bdi(&text));
    let counts = clause_words::counts(counts).map(|count| view! { <li>{count}</li> });
    let Linted { by, questions, floor, failed } = linted;
    let lint_note = failed.is_none().then(|| {
        let text = clause_words::lint_source(&by, questions.as_deref(), floor);
        view! {
            <p class="text-xs text-muted">
                <bdi>{text}</bdi>
            </p>
        }
    });
    let failed = failed.map(lint_failed);
    let item = |line: ClauseLine| {
        view! {
            <li>
                <ClauseText line linked=true is_paged page=page.clone() />
            </li>
        }
    };
    any_view! {
        <section class="card stack" aria-labelledby="codification">
            <div class="card-head">
                <h2 id="codification">{clause_words::CODIFICATION}</h2>
                <p class="text-muted text-xs">{document_name(document, url)}</p>
            </div>
            {refusals.into_iter().map(refusal).collect_view()}
            <ul class="strip">{counts}</ul>
            {failed}
            {lint_note}
            <ol class="rules">{lines.into_iter().map(item).collect_view()}</ol>
        </section>
    }
}
