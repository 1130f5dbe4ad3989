//! The rules of the evaluated policies, with their status.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::{
    markup::icon::{Icon, icon},
    text::{messages, number::count, url},
    ui::{
        badge::{ModeBadge, SeverityChip},
        facts::fact,
        params,
        sentence::sentence,
    },
    view::decision::explain::{
        Counts, ExplainedStatus, Finding, PolicyExplanation, RuleExplanation,
    },
};

/// The rules, filtered by the tab in the address.
#[component]
pub(super) fn Rules(
    path: String,
    counts: Counts,
    policies: Vec<PolicyExplanation>,
    tenant: TenantId,
) -> impl IntoView {
    let show = params::query("show");
    let tab = move |(name, label, number): (&'static str, &'static str, usize)| {
        let href = url::with_query(&path, &[("show", name)]);
        let current = move || (show() == name).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {label}
                " "
                <span class="tabular-nums text-muted">{number}</span>
            </a>
        }
    };
    let tabs = [
        ("", messages::decision::ALL, counts.all()),
        ("violations", messages::decision::VIOLATIONS, counts.violated),
        ("na", messages::decision::NOT_APPLICABLE, counts.not_applicable),
        ("passed", messages::decision::PASSED, counts.passed),
    ];
    let policies = StoredValue::new(policies);
    let content = move || {
        let filter = RuleFilter::parse(&show());
        let policies = policies.get_value().into_iter();
        policies.map(|policy| view! { <PolicyRules policy filter tenant /> }).collect_view()
    };
    view! {
        <section class="card flush">
            <h2 class="sr-only">{messages::decision::RULES}</h2>
            <nav class="tabs" aria-label=messages::decision::RULES>
                {tabs.map(tab)}
            </nav>
            {content}
        </section>
    }
}

#[derive(Clone, Copy, Debug)]
pub(in crate::page) enum RuleFilter {
    All,
    Violated,
    /// Rules whose gate did not match.
    NotApplicable,
    Passed,
}

impl RuleFilter {
    /// Parses the value in the address; any other value means all rules.
    fn parse(value: &str) -> Self {
        match value {
            "violations" => Self::Violated,
            "na" => Self::NotApplicable,
            "passed" => Self::Passed,
            _ => Self::All,
        }
    }

    const fn includes(self, status: &ExplainedStatus) -> bool {
        match self {
            Self::All => true,
            Self::Violated => matches!(status, ExplainedStatus::Violated(_)),
            Self::NotApplicable => matches!(status, ExplainedStatus::NotApplicable(_)),
            Self::Passed => matches!(status, ExplainedStatus::Passed),
        }
    }
}

/// A policy and those of its rules that `filter` includes.
#[component]
pub(in crate::page) fn PolicyRules(
    policy: PolicyExplanation,
    filter: RuleFilter,
    tenant: TenantId,
) -> impl IntoView {
    let total = count(policy.rules.len(), "rule", "rules");
    let rules: Vec<_> =
        policy.rules.into_iter().filter(|rule| filter.includes(&rule.status)).collect();
    let none = rules
        .is_empty()
        .then(|| view! { <p class="text-muted pad">{messages::decision::NO_MATCHING_RULE}</p> });
    let shadow = policy.shadow.then(|| {
        view! {
            <ModeBadge shadow=true />
            <span class="text-muted text-xs">{messages::decision::NOT_COUNTED}</span>
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
        ExplainedStatus::Violated(_) => ("deny", Icon::Cross, messages::decision::VIOLATION),
        ExplainedStatus::NotApplicable(_) => ("na", Icon::Dash, messages::decision::NOT_APPLICABLE),
        ExplainedStatus::Passed => ("allow", Icon::Tick, messages::decision::PASS),
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
                <span class="text-muted text-xs">{messages::decision::GATE}</span>
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
        (messages::decision::FIELD, finding.field),
        (messages::decision::ACTUAL, finding.actual),
        (messages::decision::EXPECTED, finding.expected),
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
                <dt>{messages::decision::CODE}</dt>
                <dd class="font-mono">{finding.code}</dd>
            </div>
            {pairs.map(pair).collect_view()}
        </dl>
    }
}
