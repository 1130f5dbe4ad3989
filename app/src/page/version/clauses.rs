//! The clauses that the rules come from, each with what became of it and what the lint says.

use contract::codification::Disposition;
use leptos::prelude::*;

use crate::{
    text::{number::count, words},
    ui::icon::{Icon, icon},
    view::clause::{ClauseLine, Clauses},
};

/// The clauses in the order of their document.
#[component]
pub(super) fn ClauseList(clauses: Clauses) -> impl IntoView {
    let Clauses { document, url, lines, failed } = clauses;
    let number = count(lines.len(), "clause", "clauses");
    let failed = failed.map(|reason| {
        view! {
            <div class="note warn">
                {icon(Icon::Warn)}
                <p>
                    {words::clause::FAILED} " "
                    <bdi>{reason}</bdi>
                </p>
            </div>
        }
    });
    let line = |line| view! { <Clause line/> };
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

/// The document's name. Only web addresses become links.
#[component]
fn Document(name: String, url: Option<String>) -> impl IntoView {
    let url = url.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    match url {
        Some(url) => view! {
            <a href=url rel="noopener noreferrer nofollow" target="_blank">
                <bdi>{name}</bdi>
            </a>
        }
        .into_any(),
        None => view! { <bdi>{name}</bdi> }.into_any(),
    }
}

#[component]
fn Clause(line: ClauseLine) -> impl IntoView {
    let ClauseLine { locator, text, fates, rules, findings } = line;
    let fate = |(disposition, note): (Disposition, Option<String>)| {
        let note = note.map(|note| view! { ": " <bdi>{note}</bdi> });
        view! { <span class="plain">{words::clause::fate(disposition)} {note}</span> }
    };
    let rule = |code: String| {
        let href = format!("#rule-{code}");
        view! { <a class="rule-code" href=href rel="external"><bdi>{code}</bdi></a> }
    };
    let finding = |message: String| {
        view! {
            <div class="note warn">
                {icon(Icon::Warn)}
                <p><bdi>{message}</bdi></p>
            </div>
        }
    };
    view! {
        <li>
            <div class="rule-head">
                <div>
                    <bdi class="font-semibold">{locator}</bdi>
                    {fates.into_iter().map(fate).collect_view()}
                    {rules.into_iter().map(rule).collect_view()}
                </div>
            </div>
            <p class="quote"><bdi>{text}</bdi></p>
            {findings.into_iter().map(finding).collect_view()}
        </li>
    }
}
