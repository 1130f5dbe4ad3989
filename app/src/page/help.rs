//! The help page: verdicts, severities, rule types, terms and shortcuts.

use contract::{
    evaluation::Verdict,
    rule::{RuleType, Severity},
};
use leptos::prelude::*;

use crate::{
    text::{
        help::{KEYS, TERMS},
        messages,
        rule::rule_type_info,
        url,
        verdict::{meaning, weight},
    },
    ui::{
        badge::{SeverityChip, VerdictBadge},
        facts::fact,
        heading::Heading,
        menu::PreferenceForm,
        public::PublicFrame,
    },
    view::preference::Preference,
};

/// `/help`
#[component]
pub(crate) fn HelpPage() -> impl IntoView {
    view! {
        <PublicFrame width="reading">
            <Heading title=messages::help::TITLE />
            <Meanings />
            <section class="card">
                <h2>{messages::help::TERMS}</h2>
                <dl class="facts">
                    {TERMS.map(|(term, description)| pair(term.into_any(), description))}
                </dl>
            </section>
            <section class="card">
                <h2>{messages::help::PROOF}</h2>
                <p>
                    {messages::help::PROOF_NOTE} " "
                    <a href=url::VERIFY>{messages::verify::TITLE}</a> " "
                    <a href=url::LOG>{messages::help::LOG}</a> " "
                    <a href=url::TRUST>{messages::help::TRUST}</a>
                </p>
            </section>
            <section class="card">
                <h2>{messages::help::KEYS}</h2>
                <p class="text-muted">{messages::help::KEYS_HELP}</p>
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
                <h2>{messages::help::APPEARANCE}</h2>
                <PreferenceForm name=Preference::Theme />
            </section>
        </PublicFrame>
    }
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
            <h2>{messages::help::VERDICTS}</h2>
            <dl class="facts">{verdicts}</dl>
        </section>
        <section class="card">
            <h2>{messages::help::SEVERITIES}</h2>
            <dl class="facts">{severities}</dl>
        </section>
        <section class="card">
            <h2>{messages::help::TYPES}</h2>
            <dl class="facts">{types}</dl>
        </section>
    }
}

fn pair(name: AnyView, description: &'static str) -> impl IntoView {
    fact(name, description)
}
