//! The rules of the evaluated policies, with their status.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::*;

use super::{
    view::explain::{ExplainedStatus, Finding, PolicyExplanation, RuleExplanation},
    words,
};
use crate::{
    text::{number::count, url},
    ui::{
        badge::ModeBadge,
        badge::SeverityChip,
        icon::{Icon, icon},
        sentence::sentence,
    },
};

/// A policy and its rules.
#[component]
pub(crate) fn PolicyRules(policy: PolicyExplanation, tenant: TenantId) -> impl IntoView {
    let PolicyExplanation { policy: id, name, version, shadow, rules } = policy;
    let total = count(rules.len(), "rule", "rules");
    let none =
        rules.is_empty().then(|| view! { <p class="text-muted pad">{words::NO_MATCHING_RULE}</p> });
    let shadow = shadow.then(|| {
        view! {
            <ModeBadge shadow=true />
            <span class="text-muted text-xs">{words::NOT_COUNTED}</span>
        }
    });
    view! {
        <div class="policy-head">
            <h3>
                <PolicyTitle tenant id name version />
            </h3>
            {shadow}
            <span class="text-muted text-xs grow">{total}</span>
        </div>
        <ul class="rule-results">
            {rules.into_iter().map(|rule| view! { <Rule rule /> }).collect_view()}
        </ul>
        {none}
    }
}

#[component]
fn Rule(rule: RuleExplanation) -> impl IntoView {
    let (tone, drawing, label) = match rule.status {
        ExplainedStatus::Violated(_) => ("deny", Icon::Cross, words::VIOLATION),
        ExplainedStatus::NotApplicable(_) => ("na", Icon::Dash, words::NOT_APPLICABLE),
        ExplainedStatus::Passed => ("allow", Icon::Tick, words::PASS),
    };
    let detail = match rule.status {
        ExplainedStatus::Violated(findings) => findings
            .into_iter()
            .map(|finding| view! { <FailedCheck finding /> })
            .collect_view()
            .into_any(),
        ExplainedStatus::NotApplicable(reason) => view! { <GateReason reason /> }.into_any(),
        ExplainedStatus::Passed => ().into_any(),
    };
    view! {
        <li class=tone>
            <span class="mark">{icon(drawing)} <span class="sr-only">{label}</span></span>
            <div>
                <div class="rule-head">
                    <div>
                        <bdi class="rule-code">{rule.code}</bdi>
                        <bdi class="font-semibold">{rule.name}</bdi>
                    </div>
                    {rule.severity.map(|severity| view! { <SeverityChip severity /> })}
                </div>
                {detail}
                {rule.sentence.map(|text| view! { <p class="text-muted">{sentence(text)}</p> })}
            </div>
        </li>
    }
}

/// The title of a policy, with the link to the evaluated version.
#[component]
pub(super) fn PolicyTitle(
    tenant: TenantId,
    id: PolicyId,
    name: String,
    version: u32,
) -> impl IntoView {
    view! {
        <a href=url::version(tenant, id, version)>
            <bdi>{name}</bdi>
            " v"
            {version}
        </a>
    }
}

/// The reason why a rule does not apply.
#[component]
pub(super) fn GateReason(reason: String) -> impl IntoView {
    view! {
        <p>
            <bdi>{reason}</bdi>
            " "
            <span class="text-muted text-xs">{words::GATE}</span>
        </p>
    }
}

/// One failed check: the reason, then field, actual and expected value, and reason code.
#[component]
pub(super) fn FailedCheck(finding: Finding) -> impl IntoView {
    let pair = |class: &'static str, name: &'static str, value: String| {
        view! {
            <div>
                <dt>{name}</dt>
                <dd class=class>
                    <bdi>{value}</bdi>
                </dd>
            </div>
        }
    };
    view! {
        <p>
            <bdi>{finding.reason}</bdi>
        </p>
        <dl class="check-line">
            {finding.field.map(|field| pair("", words::FIELD, field))}
            {finding.actual.map(|actual| pair("got", words::ACTUAL, actual))}
            {finding.expected.map(|expected| pair("", words::EXPECTED, expected))}
            {pair("", words::CODE, finding.code)}
        </dl>
    }
}
