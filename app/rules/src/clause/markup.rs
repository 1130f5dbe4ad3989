//! A clause of the source document: its disposition, its text and its lint findings.

use contract::codification::Disposition;
use page_kit::prelude::*;

use super::{
    view::{ClauseLine, FindingLine},
    words,
};

/// The number of characters of a clause that are shown before it is expanded.
const CHARS_SHOWN_MAX: usize = 600;

/// One clause. With `linked`, it shows links to the rules that the clause was mapped to, on `page` or, without one, on
/// the same page.
#[component]
pub fn ClauseText(
    line: ClauseLine,
    #[prop(optional)] linked: bool,
    /// Whether the rules of the version are on several pages.
    #[prop(optional)]
    is_paged: bool,
    #[prop(optional)] page: String,
) -> impl IntoView {
    let ClauseLine { locator, text, dispositions, rules, findings, needs_context, .. } = line;
    let rules = if linked { rules } else { Vec::new() };
    let rule = move |code: String| {
        let query = if is_paged { code.as_str() } else { "" };
        let page = url::with_query(&page, &[("rule", query)]);
        let href = format!("{page}#rule-{code}");
        view! {
            <a class="rule-code" href=href rel="external">
                <bdi>{code}</bdi>
            </a>
        }
    };
    view! {
        <div class="rule-head">
            <div>
                <bdi class="font-semibold">{locator}</bdi>
                {dispositions.into_iter().map(disposition_text).collect_view()}
                {rules.into_iter().map(rule).collect_view()}
            </div>
        </div>
        {quoted(text)}
        {findings.into_iter().map(finding).collect_view()}
        {needs_context.then(context_note)}
    }
}

/// The name of the document, as a link if `url` is a web address.
pub fn document_name(name: String, url: Option<String>) -> AnyView {
    let url = url.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    match url {
        Some(url) => any_view! {
            <a href=url rel="noopener noreferrer nofollow" target="_blank">
                <bdi>{name}</bdi>
            </a>
        },
        None => any_view! { <bdi>{name}</bdi> },
    }
}

pub fn lint_failed(reason: String) -> AnyView {
    let text = view! {
        {words::FAILED}
        " "
        <bdi>{reason}</bdi>
    };
    note(Tone::Warn, None, text)
}

fn disposition_text((disposition, note): (Disposition, Option<String>)) -> AnyView {
    let note = note.map(|note| {
        view! {
            ": "
            <bdi>{note}</bdi>
        }
    });
    any_view! { <span class="plain">{words::disposition(disposition)} {note}</span> }
}

/// Returns the text of the clause. A long text is shortened and can be expanded.
fn quoted(text: String) -> AnyView {
    match text.char_indices().nth(CHARS_SHOWN_MAX) {
        None => quote(text),
        Some((end, _)) => {
            let start = format!("{}…", text.get(..end).unwrap_or_default().trim_end());
            any_view! {
                {quote(start)}
                <details class="disclosure">
                    <summary>"Show the whole clause"</summary>
                    {quote(text)}
                </details>
            }
        }
    }
}

fn finding(finding: FindingLine) -> AnyView {
    let FindingLine { code, message, confidence } = finding;
    let paragraphs = view! {
        <p>
            <bdi>{message}</bdi>
        </p>
        <p class="text-xs text-muted">
            <code>{code}</code>
            ", "
            {words::confidence(confidence)}
        </p>
    };
    long_note(Tone::Warn, None, paragraphs)
}

fn context_note() -> AnyView {
    any_view! {
        <div class="note low">
            {icon(Icon::Help)}
            <p>"Which text does this clause refer to? It is not among the clauses."</p>
        </div>
    }
}
