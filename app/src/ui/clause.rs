//! A clause of the source text: what became of it, its words, and what the lint says of it.

use contract::codification::Disposition;
use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::{
    text::words,
    view::clause::{ClauseLine, FindingLine},
};

/// How much of a clause is shown at once, in characters.
const SHOWN: usize = 600;

/// One clause. `linked` names the rules that it became, as links into the page.
#[component]
pub(crate) fn ClauseText(line: ClauseLine, #[prop(optional)] linked: bool) -> impl IntoView {
    let ClauseLine { locator, text, fates, rules, findings, needs_context, .. } = line;
    let rules = if linked { rules } else { Vec::new() };
    let rule = |code: String| {
        let href = format!("#rule-{code}");
        view! { <a class="rule-code" href=href rel="external"><bdi>{code}</bdi></a> }
    };
    view! {
        <div class="rule-head">
            <div>
                <bdi class="font-semibold">{locator}</bdi>
                {fates.into_iter().map(fate).collect_view()}
                {rules.into_iter().map(rule).collect_view()}
            </div>
        </div>
        {quoted(text)}
        {findings.into_iter().map(finding).collect_view()}
        {needs_context.then(question)}
    }
}

/// The document's name. Only web addresses become links.
#[component]
pub(crate) fn Document(name: String, url: Option<String>) -> impl IntoView {
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

/// Why the clauses were not linted.
#[component]
pub(crate) fn LintFailed(reason: String) -> impl IntoView {
    view! {
        <div class="note warn">
            {icon(Icon::Warn)}
            <p>
                {words::clause::FAILED} " "
                <bdi>{reason}</bdi>
            </p>
        </div>
    }
}

fn fate((disposition, note): (Disposition, Option<String>)) -> impl IntoView {
    let note = note.map(|note| view! { ": " <bdi>{note}</bdi> });
    view! { <span class="plain">{words::clause::fate(disposition)} {note}</span> }
}

/// The words, as far as they are short.
fn quoted(text: String) -> impl IntoView {
    match text.char_indices().nth(SHOWN) {
        None => view! { <p class="quote"><bdi>{text}</bdi></p> }.into_any(),
        Some((end, _)) => {
            let start = format!("{}…", text.get(..end).unwrap_or_default().trim_end());
            view! {
                <p class="quote"><bdi>{start}</bdi></p>
                <details class="disclosure">
                    <summary>{words::clause::WHOLE}</summary>
                    <p class="quote"><bdi>{text}</bdi></p>
                </details>
            }
            .into_any()
        }
    }
}

fn finding(finding: FindingLine) -> impl IntoView {
    let FindingLine { code, message, confidence } = finding;
    view! {
        <div class="note warn">
            {icon(Icon::Warn)}
            <div>
                <p><bdi>{message}</bdi></p>
                <p class="text-xs text-muted">
                    <code>{code}</code>
                    ", "
                    {words::clause::confidence(confidence)}
                </p>
            </div>
        </div>
    }
}

/// What a reader must know beside the clause is asked, not stated.
fn question() -> impl IntoView {
    view! {
        <div class="note low">
            {icon(Icon::Help)}
            <p>{words::clause::NEEDS_CONTEXT}</p>
        </div>
    }
}
