//! The help page: verdicts, severities, rule types, terms and shortcuts.

use contract::{
    evaluation::Verdict,
    rule::{RuleType, Severity},
};
use leptos::prelude::*;

use super::{
    terms::{KEYS, TERMS},
    words,
};
use crate::{
    documentation::HasDocumentation,
    preference::{markup::PreferenceForm, view::Preference},
    text::{
        rule::rule_type_info,
        url,
        verdict::{meaning, weight},
    },
    ui::{
        badge::{SeverityChip, VerdictBadge},
        facts::fact,
        heading::Heading,
        public::PublicFrame,
    },
    verify::words as verify_words,
};

/// `/help`
#[component]
pub(crate) fn HelpPage() -> impl IntoView {
    view! {
        <PublicFrame width="reading">
            <Heading title=words::TITLE />
            <Guides />
            <Meanings />
            <section class="card">
                <h2>{words::TERMS}</h2>
                <dl class="facts">
                    {TERMS.map(|(term, description)| pair(term.into_any(), description))}
                </dl>
            </section>
            <section class="card">
                <h2>{words::PROOF}</h2>
                <p>
                    {words::PROOF_NOTE} " " <a href=url::VERIFY>{verify_words::TITLE}</a> " "
                    <a href=url::LOG>{words::LOG}</a> " " <a href=url::TRUST>{words::TRUST}</a>
                </p>
            </section>
            <section class="card">
                <h2>{words::KEYS}</h2>
                <p class="text-muted">{words::KEYS_HELP}</p>
                <dl class="facts">
                    {KEYS
                        .map(|(key, description)| pair(
                            view! { <kbd>{key}</kbd> }.into_any(),
                            description,
                        ))}
                </dl>
                <PreferenceForm name=Preference::Keys />
            </section>
            <section class="card">
                <h2>{words::APPEARANCE}</h2>
                <PreferenceForm name=Preference::Theme />
            </section>
        </PublicFrame>
    }
}

/// The links to the documentation, if it is served.
#[component]
fn Guides() -> impl IntoView {
    use_context::<HasDocumentation>().map(|_| {
        let guide = |(url, title): (&'static str, &'static str)| {
            view! {
                <li>
                    <a href=url rel="external">
                        {title}
                    </a>
                </li>
            }
        };
        view! {
            <section class="card">
                <h2>{words::GUIDES}</h2>
                <p>{words::GUIDES_NOTE}</p>
                <ul class="stack">{words::GUIDE_LINKS.map(guide)}</ul>
            </section>
        }
    })
}

#[component]
fn Meanings() -> impl IntoView {
    let verdicts = Verdict::ALL
        .map(|verdict| pair(view! { <VerdictBadge verdict /> }.into_any(), meaning(verdict)));
    let severities = Severity::ALL
        .map(|severity| pair(view! { <SeverityChip severity /> }.into_any(), weight(severity)));
    let types = RuleType::ALL.map(|rule_type| {
        rule_type_info(rule_type).map(|info| pair(info.label.into_any(), info.description))
    });
    view! {
        <section class="card">
            <h2>{words::VERDICTS}</h2>
            <dl class="facts">{verdicts}</dl>
        </section>
        <section class="card">
            <h2>{words::SEVERITIES}</h2>
            <dl class="facts">{severities}</dl>
        </section>
        <section class="card">
            <h2>{words::TYPES}</h2>
            <dl class="facts">{types}</dl>
        </section>
    }
}

fn pair(name: AnyView, description: &'static str) -> impl IntoView {
    fact(name, description)
}
