//! The help page: verdicts, severities, rule types, terms and shortcuts.

use contract::rule::RuleType;
use decisions::verify;
use documents::documentation::HasDocumentation;
use page_kit::{
    prelude::*,
    text::{
        rule::rule_type_info,
        verdict::{meaning, weight},
    },
    ui::panel::card,
};

use crate::preference::{self, Preference};

/// `/help`
pub(crate) async fn help() -> PageResult {
    let verdicts =
        Verdict::ALL.map(|verdict| fact(view! { <VerdictBadge verdict /> }, meaning(verdict)));
    let severities = Severity::ALL.map(|severity| fact(severity_chip(severity), weight(severity)));
    let types = RuleType::ALL
        .map(|rule_type| rule_type_info(rule_type).map(|info| fact(info.label, info.description)));
    let terms = TERMS.map(|(term, description)| fact(term, description));
    let keys = KEYS.map(|(key, description)| fact(view! { <kbd>{key}</kbd> }, description));
    let facts =
        |title, facts: AnyView| card("card", title, any_view! { <dl class="facts">{facts}</dl> });
    Ok(any_view! {
        <PublicFrame width="reading">
            <Heading title="Help" />
            {guides()}
            {facts("Verdicts", verdicts.into_any())}
            {facts("Severities", severities.into_any())}
            {facts("Rule types", types.into_any())}
            {facts("Glossary", terms.into_any())}
            <section class="card">
                <h2>"Proof"</h2>
                <p>
                    "Every decision has a signed receipt. Anyone with the bundle can verify it in the browser, without an account and with keys they trust."
                    " " <a href=url::VERIFY>{verify::words::TITLE}</a> " "
                    <a href=url::LOG>"Transparency log"</a> " "
                    <a href=url::TRUST>"Signing keys"</a>
                </p>
            </section>
            <section class="card">
                <h2>"Keyboard shortcuts"</h2>
                <p class="text-muted">
                    "Single-key shortcuts are disabled while you type in a field."
                </p>
                <dl class="facts">{keys}</dl>
                {preference::form(Preference::Keys)}
            </section>
            {card("card", "Appearance", preference::form(Preference::Theme))}
        </PublicFrame>
    })
}

/// Renders the links to the most used pages of the documentation, if it is served.
fn guides() -> Option<AnyView> {
    use_context::<HasDocumentation>()?;
    let guides = [
        ("/docs/start", "Start page"),
        ("/docs/concepts", "Concepts"),
        ("/docs/errors", "Error codes"),
        ("/docs", "API reference"),
    ];
    let guide = |(url, title): (&'static str, &'static str)| {
        view! {
            <li>
                <a href=url rel="external">
                    {title}
                </a>
            </li>
        }
    };
    Some(any_view! {
        <section class="card">
            <h2>"Documentation"</h2>
            <p>"How to work with Govern, step by step, for each role."</p>
            <ul class="stack">{guides.map(guide)}</ul>
        </section>
    })
}

const KEYS: [(&str, &str); 32] = [
    ("/", "search, open a page or start an action"),
    ("Ctrl+K", "the same, also while you type in a field"),
    ("g i", "go to the inbox, if your role has one"),
    ("g p", "go to the policies"),
    ("g d", "go to the decisions"),
    ("g a", "go to the alerts"),
    ("g f", "go to the forms"),
    ("g w", "go to the webhooks, if your role manages them"),
    ("g u", "go to the audit log, if your role can read it"),
    ("j", "next row of a list, next rule of a review"),
    ("k", "previous row"),
    ("[", "previous comment"),
    ("]", "next comment"),
    ("Enter", "open the row"),
    ("o", "open the row, or the first one"),
    ("n", "create what the page lists, such as a policy, a draft, a rule or an API key"),
    ("x", "select this row or the next row"),
    ("Shift+X", "select all rows on the page"),
    ("e", "acknowledge the selected alerts, or the alert of the page"),
    ("i", "assign the selected alerts, or the alert of the page"),
    ("h", "snooze the selected alerts, or the alert of the page"),
    ("z", "undo the last action, while its notice offers it"),
    ("s", "submit the version for review"),
    ("v", "mark this rule of a review as viewed, or the next one"),
    ("Shift+V", "mark all rules as viewed"),
    ("c", "write a comment on this rule"),
    ("a", "accept what you have reviewed"),
    ("b", "request changes"),
    ("r", "ratify or activate the version"),
    ("Ctrl+Enter", "the main action of the form or dialog with the focus; saves a comment"),
    ("Esc", "close a dialog or a comment"),
    ("?", "this page"),
];

const TERMS: [(&str, &str); 12] = [
    (
        "Policy",
        "A set of rules with a unique code. A policy takes effect when one of its versions is active.",
    ),
    ("Version", "One state of a policy's rules. Once it is submitted, its rules never change."),
    (
        "Revision",
        "A draft's count of edits: r1, r2, and so on. You always sign one exact revision.",
    ),
    ("Rule", "One condition with a severity. It passes, is violated, or does not apply."),
    (
        "Gate",
        "The condition under which a rule applies. Types are compared too: the text \"1\" is not the number 1.",
    ),
    (
        "Ratify",
        "Approve and sign a submitted version. With maker-checker on, the author and submitter cannot ratify it.",
    ),
    ("Activate", "Make a ratified version take effect. The previous version stays in the history."),
    ("Shadow mode", "The policy is evaluated and reported but does not affect verdicts."),
    (
        "Decision",
        "A recorded context, its verdict and the exact rules that produced it. It never changes.",
    ),
    ("Snapshot", "The exact set of active policies used for a decision."),
    ("Digest", "A fingerprint of exact bytes. Equal digests mean equal bytes."),
    ("Receipt", "A signed statement about a decision, readable by anyone with its link."),
];
