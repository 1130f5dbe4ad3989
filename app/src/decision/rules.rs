//! The rules of the evaluated policies, with their status.

use contract::id::TenantId;
use leptos::prelude::*;

use super::{
    view::explain::{ExplainedStatus, Finding, PolicyExplanation, RuleExplanation},
    words,
};
use crate::{
    policy::markup::ModeBadge,
    text::{number::count, url},
    ui::{
        badge::SeverityChip,
        facts::fact,
        icon::{Icon, icon},
        sentence::sentence,
    },
};

/// A policy and its rules.
#[component]
pub(crate) fn PolicyRules(policy: PolicyExplanation, tenant: TenantId) -> impl IntoView {
    let total = count(policy.rules.len(), "rule", "rules");
    let rules = policy.rules;
    let none =
        rules.is_empty().then(|| view! { <p class="text-muted pad">{words::NO_MATCHING_RULE}</p> });
    let shadow = policy.shadow.then(|| {
        view! {
            <ModeBadge shadow=true />
            <span class="text-muted text-xs">{words::NOT_COUNTED}</span>
        }
    });
    let href = url::version(tenant, policy.policy, policy.version);
    view! {
        <div class="policy-head">
            <h3>
                <a href=href>
                    <bdi>{policy.name}</bdi>
                    " v"
                    {policy.version}
                </a>
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
            .map(|finding| view! { <FindingDetails finding /> })
            .collect_view()
            .into_any(),
        ExplainedStatus::NotApplicable(reason) => view! {
            <p>
                <bdi>{reason}</bdi>
                " "
                <span class="text-muted text-xs">{words::GATE}</span>
            </p>
        }
        .into_any(),
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

/// One failed check: the reason, then field, actual and expected value.
#[component]
fn FindingDetails(finding: Finding) -> impl IntoView {
    let pairs = [
        (words::FIELD, finding.field),
        (words::ACTUAL, finding.actual),
        (words::EXPECTED, finding.expected),
    ];
    let pairs = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let pair = |(name, value)| {
        view! { <div>{fact(name, view! { <bdi class="font-mono">{value}</bdi> })}</div> }
    };
    view! {
        <p>
            <bdi>{finding.reason}</bdi>
        </p>
        <dl class="finding">
            <div>
                <dt>{words::CODE}</dt>
                <dd class="font-mono">{finding.code}</dd>
            </div>
            {pairs.map(pair).collect_view()}
        </dl>
    }
}
