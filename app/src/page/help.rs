//! Help: keys, words, verdicts.

use contract::{
    evaluation::Verdict,
    rule::{RuleType, Severity},
};
use leptos::prelude::*;

use crate::{
    api::preference::Preference,
    text::{
        help::{KEYS, TERMS},
        rule::shape,
        url,
        verdict::{meaning, weight},
        words,
    },
    ui::{
        badge::{SeverityChip, VerdictBadge},
        heading::Heading,
        menu::PreferenceForm,
        public::PublicFrame,
    },
};

/// `/help`
#[component]
pub(crate) fn HelpPage() -> impl IntoView {
    view! {
        <PublicFrame width="reading">
            <Heading title=words::help::TITLE/>
            <Meanings/>
            <section class="card">
                <h2>{words::help::WORDS}</h2>
                <dl class="facts">{TERMS.map(|(word, says)| pair(word.into_any(), says))}</dl>
            </section>
            <section class="card">
                <h2>{words::help::PROOF}</h2>
                <p>
                    {words::help::PROOF_SAYS} " "
                    <a href=url::VERIFY>{words::verify::TITLE}</a>
                    " "
                    <a href=url::TRUST>{words::help::TRUST}</a>
                </p>
            </section>
            <section class="card">
                <h2>{words::help::KEYS}</h2>
                <p class="text-muted">{words::help::KEYS_SAY}</p>
                <dl class="facts">
                    {KEYS.map(|(key, says)| pair(view! { <kbd>{key}</kbd> }.into_any(), says))}
                </dl>
                <PreferenceForm name=Preference::Keys/>
            </section>
            <section class="card">
                <h2>{words::help::APPEARANCE}</h2>
                <PreferenceForm name=Preference::Theme/>
            </section>
        </PublicFrame>
    }
}

/// What verdicts, severities and rule types say.
#[component]
fn Meanings() -> impl IntoView {
    let verdicts = Verdict::ALL
        .map(|verdict| pair(view! { <VerdictBadge verdict/> }.into_any(), meaning(verdict)));
    let severities = Severity::ALL
        .map(|severity| pair(view! { <SeverityChip severity/> }.into_any(), weight(severity)));
    let types = RuleType::ALL
        .map(|rule_type| shape(rule_type).map(|shape| pair(shape.label.into_any(), shape.says)));
    view! {
        <section class="card">
            <h2>{words::help::VERDICTS}</h2>
            <dl class="facts">{verdicts}</dl>
        </section>
        <section class="card">
            <h2>{words::help::SEVERITIES}</h2>
            <dl class="facts">{severities}</dl>
        </section>
        <section class="card">
            <h2>{words::help::TYPES}</h2>
            <dl class="facts">{types}</dl>
        </section>
    }
}

fn pair(name: AnyView, says: &'static str) -> impl IntoView {
    view! {
        <dt>{name}</dt>
        <dd>{says}</dd>
    }
}
