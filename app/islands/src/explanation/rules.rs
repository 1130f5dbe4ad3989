//! The rules of the evaluated policies, with their status.

use super::{
    ExplainedStatus, Finding, NOT_APPLICABLE, PASS, PolicyExplanation, RuleExplanation, VIOLATION,
};
use crate::{
    prelude::*,
    ui::badge::{mode_badge, severity_chip},
};

pub const NOT_COUNTED: &str = "Shadow mode: not counted.";

/// The note that policies in shadow mode would change the verdict to `verdict`.
#[component]
pub fn VerdictWithoutShadow(verdict: Verdict) -> impl IntoView {
    view! {
        <div class="note shadow">
            {icon(Icon::Shadow)}
            <p>
                "With every policy enforced the verdict would have been " <VerdictBadge verdict />
            </p>
        </div>
    }
}

/// A policy and its rules.
#[component]
pub fn PolicyRules(policy: PolicyExplanation, tenant: TenantId) -> impl IntoView {
    let PolicyExplanation { policy: id, name, version, shadow, rules } = policy;
    let total = count(rules.len(), "rule", "rules");
    let none = rules
        .is_empty()
        .then(|| view! { <p class="text-muted pad">{"No rule of this policy."}</p> });
    let shadow = shadow.then(|| {
        view! {
            {mode_badge(true)}
            <span class="text-muted text-xs">{NOT_COUNTED}</span>
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
        ExplainedStatus::Violated(_) => ("deny", Icon::Cross, VIOLATION),
        ExplainedStatus::NotApplicable(_) => ("na", Icon::Dash, NOT_APPLICABLE),
        ExplainedStatus::Passed => ("allow", Icon::Tick, PASS),
    };
    let detail = match rule.status {
        ExplainedStatus::Violated(findings) => findings
            .into_iter()
            .map(|finding| view! { <FailedCheck finding /> })
            .collect_view()
            .into_any(),
        ExplainedStatus::NotApplicable(reason) => any_view! { <GateReason reason /> },
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
                    {rule.severity.map(severity_chip)}
                </div>
                {detail}
                {rule.sentence.map(|text| view! { <p class="text-muted">{sentence(text)}</p> })}
            </div>
        </li>
    }
}

/// The title of a policy, with the link to the evaluated version.
#[component]
pub fn PolicyTitle(tenant: TenantId, id: PolicyId, name: String, version: u32) -> impl IntoView {
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
pub fn GateReason(reason: String) -> impl IntoView {
    view! {
        <p>
            <bdi>{reason}</bdi>
            " "
            <span class="text-muted text-xs">"(gate)"</span>
        </p>
    }
}

/// One failed check: the reason, then field, actual and expected value, and reason code.
#[component]
pub fn FailedCheck(finding: Finding) -> impl IntoView {
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
            {finding.field.map(|field| pair("", "Field", field))}
            {finding.actual.map(|actual| pair("got", "Actual", actual))}
            {finding.expected.map(|expected| pair("", "Expected", expected))}
            {pair("", "Reason code", finding.code)}
        </dl>
    }
}
