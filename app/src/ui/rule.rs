//! Rules as sentences, one after the other.

use std::sync::Arc;

use leptos::prelude::*;

use super::{badge::SeverityChip, sentence::sentence};
use crate::{
    text::{rule::shape, words},
    view::version::RuleLine,
};

/// What stands beside a rule, by its code.
pub(crate) type Beside = Arc<dyn Fn(&str) -> AnyView + Send + Sync>;

/// Rules in authored order. `full` adds description, type and source; `beside` puts something next to each.
#[component]
pub(crate) fn RuleList(
    rules: Vec<RuleLine>,
    #[prop(optional)] full: bool,
    #[prop(optional_no_strip)] beside: Option<Beside>,
) -> impl IntoView {
    let line = move |rule: RuleLine| match &beside {
        None => view! { <RuleItem rule full/> }.into_any(),
        Some(beside) => {
            let next = beside(&rule.code);
            view! { <RuleItem rule full next=Some(next)/> }.into_any()
        }
    };
    view! { <ol class="rules">{rules.into_iter().map(line).collect_view()}</ol> }
}

#[component]
fn RuleItem(
    rule: RuleLine,
    full: bool,
    #[prop(optional_no_strip)] next: Option<AnyView>,
) -> impl IntoView {
    let inactive =
        (!rule.is_active).then(|| view! { <span class="plain">{words::version::INACTIVE}</span> });
    let kind = shape(rule.rule_type).map_or("", |shape| shape.label);
    let id = format!("rule-{}", rule.code);
    let class = match (rule.is_active, next.is_some()) {
        (true, false) => "",
        (false, false) => "off",
        (true, true) => "beside",
        (false, true) => "beside off",
    };
    let own = view! {
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
    };
    match next {
        None => view! { <li id=id class=class>{own}</li> }.into_any(),
        Some(next) => view! {
            <li id=id class=class>
                <div>{own}</div>
                {next}
            </li>
        }
        .into_any(),
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
