//! The explanation of a decision: every rule of every policy, with its result.

use contract::{
    evaluation::Verdict,
    id::{PolicyId, TenantId},
};
use leptos::prelude::*;

use crate::{
    decision::{
        page::gate::Gate,
        rules::{FailedCheck, GateReason, PolicyTitle},
        view::explain::{Counts, ExplainedStatus, PolicyExplanation, RuleExplanation},
        words as strings,
    },
    rule::markup::Source,
    text::url,
    ui::{
        badge::ModeBadge,
        badge::{SeverityChip, VerdictBadge},
        icon::{Icon, icon},
        params,
        sentence::sentence,
    },
};

/// The rules that the tab in the address selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    All,
    Violated,
    /// Rules whose gate did not match.
    NotApplicable,
    Passed,
}

impl Shown {
    /// Parses the value in the address; any other value means all rules.
    fn parse(value: &str) -> Self {
        match value {
            "violations" => Self::Violated,
            "na" => Self::NotApplicable,
            "passed" => Self::Passed,
            _ => Self::All,
        }
    }

    fn includes(self, other: Self) -> bool {
        self == Self::All || self == other
    }
}

/// The rules by policy. Policies in shadow mode are in a section of their own.
#[component]
pub(crate) fn Why(
    path: String,
    counts: Counts,
    policies: Vec<PolicyExplanation>,
    tenant: TenantId,
    /// The policy that determined the verdict, and the verdict.
    verdict: (PolicyId, Verdict),
) -> impl IntoView {
    let show = params::query("show")();
    let shown = Shown::parse(&show);
    let tab = move |(name, label, number): (&'static str, &'static str, usize)| {
        let href = url::with_query(&path, &[("show", name)]);
        let current = (Shown::parse(name) == shown).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {label}
                " "
                <span class="tabular-nums">{number}</span>
            </a>
        }
    };
    let tabs = [
        ("", strings::ALL, counts.all()),
        ("violations", strings::VIOLATIONS, counts.violated),
        ("na", strings::NOT_APPLICABLE, counts.not_applicable),
        ("passed", strings::PASSED, counts.passed),
    ];
    let (shadow, counted): (Vec<_>, Vec<_>) =
        policies.into_iter().partition(|policy| policy.shadow);
    let policy = |policy: PolicyExplanation| {
        let verdict = (policy.policy == verdict.0).then_some(verdict.1);
        view! { <Policy policy shown tenant verdict /> }
    };
    let shadow = (!shadow.is_empty()).then(|| {
        view! {
            <section class="stack" aria-labelledby="shadow">
                <h2 id="shadow">{strings::SHADOW}</h2>
                {shadow.into_iter().map(policy).collect_view()}
            </section>
        }
    });
    view! {
        <section class="stack" aria-labelledby="rules">
            <div class="card-head">
                <h2 id="rules">{strings::RULES}</h2>
                <nav class="segmented" aria-label=strings::RULES>
                    {tabs.map(tab)}
                </nav>
            </div>
            {counted.into_iter().map(policy).collect_view()}
        </section>
        {shadow}
    }
}

/// A policy and those of its rules that are shown.
#[component]
fn Policy(
    policy: PolicyExplanation,
    shown: Shown,
    tenant: TenantId,
    /// The verdict, if the policy determined it.
    verdict: Option<Verdict>,
) -> impl IntoView {
    let not_counted = policy
        .shadow
        .then(|| view! { <span class="text-muted text-xs">{strings::NOT_COUNTED}</span> });
    let (mut violated, mut not_applicable, mut passed) = (Vec::new(), Vec::new(), Vec::new());
    for rule in policy.rules {
        match rule.status {
            ExplainedStatus::Violated(_) => violated.push(rule),
            ExplainedStatus::NotApplicable(_) => not_applicable.push(rule),
            ExplainedStatus::Passed => passed.push(rule),
        }
    }
    if !shown.includes(Shown::Violated) {
        violated.clear();
    }
    let groups = [
        (Shown::NotApplicable, not_applicable, "na", Icon::Dash),
        (Shown::Passed, passed, "allow", Icon::Tick),
    ];
    let is_empty = violated.is_empty()
        && groups.iter().all(|(kind, rules, ..)| rules.is_empty() || !shown.includes(*kind));
    let none = is_empty.then(|| view! { <p class="text-muted">{strings::NO_MATCHING_RULE}</p> });
    let groups = groups
        .into_iter()
        .filter(|(kind, rules, ..)| !rules.is_empty() && shown.includes(*kind))
        .map(|(kind, rules, tone, drawing)| {
            view! { <Group kind rules tone drawing open=shown == kind /> }
        })
        .collect_view();
    view! {
        <div class="policy-node">
            <h3>
                {verdict
                    .map(|verdict| {
                        view! {
                            <VerdictBadge verdict />
                            {strings::FROM_POLICY}
                        }
                    })}
                <PolicyTitle tenant id=policy.policy name=policy.name version=policy.version />
                <ModeBadge shadow=policy.shadow /> {not_counted}
            </h3>
            <ul class="rule-list">
                {violated
                    .into_iter()
                    .enumerate()
                    .map(|(index, rule)| view! { <Violated rule open=index == 0 /> })
                    .collect_view()} {groups}
            </ul>
            {none}
        </div>
    }
}

/// A violated rule with its failed checks. `open` shows why it applies.
#[component]
fn Violated(rule: RuleExplanation, open: bool) -> impl IntoView {
    let ExplainedStatus::Violated(findings) = rule.status else { return ().into_any() };
    let findings =
        findings.into_iter().map(|finding| view! { <FailedCheck finding /> }).collect_view();
    let gate = match rule.gate {
        Some(gate) => view! { <Gate gate open /> }.into_any(),
        None if rule.sentence.is_some() => {
            view! { <p class="text-muted">{strings::NO_GATE}</p> }.into_any()
        }
        None => ().into_any(),
    };
    view! {
        <li>
            <details class="rule-card deny" open>
                <summary>
                    <span class="mark">
                        {icon(Icon::Cross)} <span class="sr-only">{strings::VIOLATION}</span>
                    </span>
                    <span class="grow">
                        {name_of(rule.name)} <bdi class="rule-code">{rule.code}</bdi>
                    </span>
                    {rule.severity.map(|severity| view! { <SeverityChip severity /> })}
                </summary>
                <div class="rule-body">
                    {findings} {gate}
                    {rule.sentence.map(|text| view! { <p class="text-muted">{sentence(text)}</p> })}
                    {rule.source.map(|source| view! { <Source source /> })}
                </div>
            </details>
        </li>
    }
    .into_any()
}

/// Renders the name of a rule, if it has one.
fn name_of(name: Option<String>) -> impl IntoView {
    name.map(|name| {
        view! {
            <bdi class="font-semibold">{name}</bdi>
            " "
        }
    })
}

/// The rules of a policy that passed or did not apply, folded unless their tab is selected.
#[component]
fn Group(
    kind: Shown,
    rules: Vec<RuleExplanation>,
    tone: &'static str,
    drawing: Icon,
    open: bool,
) -> impl IntoView {
    let title = if kind == Shown::Passed {
        strings::passed_rules(rules.len())
    } else {
        strings::not_applicable_rules(rules.len())
    };
    let row = |rule: RuleExplanation| {
        let reason = match rule.status {
            ExplainedStatus::NotApplicable(reason) => Some(view! { <GateReason reason /> }),
            ExplainedStatus::Violated(_) | ExplainedStatus::Passed => None,
        };
        view! {
            <li>
                {name_of(rule.name)} <bdi class="rule-code">{rule.code}</bdi> {reason}
                {rule.sentence.map(|text| view! { <p class="text-muted">{sentence(text)}</p> })}
            </li>
        }
    };
    view! {
        <li>
            <details class=format!("rule-card {tone}") open=open>
                <summary>
                    <span class="mark">{icon(drawing)}</span>
                    <span class="grow">{title}</span>
                    {icon(Icon::Down)}
                </summary>
                <div class="rule-body">
                    <ul>{rules.into_iter().map(row).collect_view()}</ul>
                </div>
            </details>
        </li>
    }
}
