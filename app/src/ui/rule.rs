//! Rules as sentences, one after the other.

use leptos::prelude::*;

use super::{badge::SeverityChip, sentence::sentence};
use crate::{
    text::{rule::shape, words},
    view::version::RuleLine,
};

/// Rules in authored order. `full` adds description, type and source.
#[component]
pub(crate) fn RuleList(rules: Vec<RuleLine>, #[prop(optional)] full: bool) -> impl IntoView {
    let line = move |rule| view! { <RuleItem rule full/> };
    view! { <ol class="rules">{rules.into_iter().map(line).collect_view()}</ol> }
}

#[component]
fn RuleItem(rule: RuleLine, full: bool) -> impl IntoView {
    let inactive =
        (!rule.is_active).then(|| view! { <span class="plain">{words::version::INACTIVE}</span> });
    let kind = shape(rule.rule_type).map_or("", |shape| shape.label);
    let id = format!("rule-{}", rule.code);
    view! {
        <li id=id class:off=!rule.is_active>
            <div class="rule-head">
                <div>
                    <bdi class="rule-code">{rule.code}</bdi>
                    <bdi class="font-semibold">{rule.name}</bdi>
                    {full.then(|| view! { <span class="plain">{kind}</span> })}
                    {inactive}
                </div>
                <SeverityChip severity=rule.severity/>
            </div>
            <p>{sentence(rule.sentence)}</p>
            {full
                .then(|| view! {
                    {rule.description.map(|text| view! { <p class="text-muted">{text}</p> })}
                    {rule.source.map(|source| view! { <Source source/> })}
                })}
        </li>
    }
}

/// Where a rule comes from. Only web addresses become links.
#[component]
fn Source(source: contract::rule::SourceRef) -> impl IntoView {
    let parts = [source.document, source.section];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let url = source.url.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    let shown = match url {
        Some(url) => {
            let text = if text.is_empty() { url.clone() } else { text };
            view! {
                <a href=url rel="noopener noreferrer nofollow" target="_blank">
                    <bdi>{text}</bdi>
                </a>
            }
            .into_any()
        }
        None => view! { <bdi>{text}</bdi> }.into_any(),
    };
    view! { <p class="text-xs text-muted">{words::version::SOURCE} " " {shown}</p> }
}
