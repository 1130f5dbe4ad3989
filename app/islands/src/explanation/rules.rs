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
pub fn verdict_without_shadow(verdict: Verdict) -> AnyView {
    any_view! {
        <div class="note shadow">
            {icon(Icon::Shadow)}
            <p>
                "With every policy enforced the verdict would have been " <VerdictBadge verdict />
            </p>
        </div>
    }
}

/// A policy and its rules.
pub fn policy_rules(policy: PolicyExplanation, tenant: TenantId) -> AnyView {
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
    any_view! {
        <div class="policy-head">
            <h3>{policy_title(tenant, id, name, version)}</h3>
            {shadow}
            <span class="text-muted text-xs grow">{total}</span>
        </div>
        <ul class="rule-results">{rules.into_iter().map(rule_result).collect_view()}</ul>
        {none}
    }
}

fn rule_result(rule: RuleExplanation) -> AnyView {
    let (tone, drawing, label) = match rule.status {
        ExplainedStatus::Violated(_) => ("deny", Icon::Cross, VIOLATION),
        ExplainedStatus::NotApplicable(_) => ("na", Icon::Dash, NOT_APPLICABLE),
        ExplainedStatus::Passed => ("allow", Icon::Tick, PASS),
    };
    let detail = match rule.status {
        ExplainedStatus::Violated(findings) => {
            findings.into_iter().map(failed_check).collect_view().into_any()
        }
        ExplainedStatus::NotApplicable(reason) => gate_reason(reason),
        ExplainedStatus::Passed => ().into_any(),
    };
    any_view! {
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
pub fn policy_title(tenant: TenantId, id: PolicyId, name: String, version: u32) -> AnyView {
    any_view! {
        <a href=url::version(tenant, id, version)>
            <bdi>{name}</bdi>
            " v"
            {version}
        </a>
    }
}

/// The reason why a rule does not apply.
pub fn gate_reason(reason: String) -> AnyView {
    any_view! {
        <p>
            <bdi>{reason}</bdi>
            " "
            <span class="text-muted text-xs">"(gate)"</span>
        </p>
    }
}

/// One failed check: the reason, then field, actual and expected value, and reason code.
pub fn failed_check(finding: Finding) -> AnyView {
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
    any_view! {
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
