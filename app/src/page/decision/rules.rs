//! Every rule of every evaluated policy, and how it fared.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::{
    page::params,
    text::{number::count, url, words},
    ui::{
        badge::{ModeBadge, SeverityChip},
        icon::{Icon, icon},
        sentence::sentence,
    },
    view::decision::explain::{Counts, Explained, Fate, Finding, RuleFate},
};

/// The rules under the tab that the address names.
#[component]
pub(super) fn Rules(
    path: String,
    counts: Counts,
    policies: Vec<Explained>,
    tenant: TenantId,
) -> impl IntoView {
    let show = params::query("show");
    let tab = move |(name, word, number): (&'static str, &'static str, usize)| {
        let href = url::with_query(&path, &[("show", name)]);
        let current = move || (show() == name).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {word}
                " "
                <span class="tabular-nums text-muted">{number}</span>
            </a>
        }
    };
    let tabs = [
        ("", words::decision::ALL, counts.all()),
        ("violations", words::decision::VIOLATIONS, counts.violated),
        ("na", words::decision::NOT_APPLICABLE, counts.not_applicable),
        ("passed", words::decision::PASSED, counts.passed),
    ];
    let policies = StoredValue::new(policies);
    let shown = move || {
        let show = Show::of(&show());
        let policies = policies.get_value().into_iter();
        policies.map(|policy| view! { <PolicyRules policy show tenant/> }).collect_view()
    };
    view! {
        <section class="card flush">
            <h2 class="sr-only">{words::decision::RULES}</h2>
            <nav class="tabs" aria-label=words::decision::RULES>
                {tabs.map(tab)}
            </nav>
            {shown}
        </section>
    }
}

/// Which rules are shown.
#[derive(Clone, Copy, Debug)]
pub(in crate::page) enum Show {
    /// All of them.
    All,
    /// Those that are violated.
    Violated,
    /// Those whose gate did not match.
    NotApplicable,
    /// Those that held.
    Passed,
}

impl Show {
    /// What the address says; all for any other word.
    fn of(word: &str) -> Self {
        match word {
            "violations" => Self::Violated,
            "na" => Self::NotApplicable,
            "passed" => Self::Passed,
            _ => Self::All,
        }
    }

    const fn admits(self, fate: &Fate) -> bool {
        match self {
            Self::All => true,
            Self::Violated => matches!(fate, Fate::Violated(_)),
            Self::NotApplicable => matches!(fate, Fate::NotApplicable(_)),
            Self::Passed => matches!(fate, Fate::Passed),
        }
    }
}

/// One policy, and those of its rules that `show` names.
#[component]
pub(in crate::page) fn PolicyRules(
    policy: Explained,
    show: Show,
    tenant: TenantId,
) -> impl IntoView {
    let total = count(policy.rules.len(), "rule", "rules");
    let rules: Vec<_> = policy.rules.into_iter().filter(|rule| show.admits(&rule.fate)).collect();
    let none = rules
        .is_empty()
        .then(|| view! { <p class="text-muted pad">{words::decision::NO_SUCH}</p> });
    let shadow = policy.shadow.then(|| {
        view! {
            <ModeBadge shadow=true/>
            <span class="text-muted text-xs">{words::decision::DID_NOT_COUNT}</span>
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
        <ul class="fates">{rules.into_iter().map(|rule| view! { <Rule rule/> }).collect_view()}</ul>
        {none}
    }
}

#[component]
fn Rule(rule: RuleFate) -> impl IntoView {
    let (tone, drawing, word) = match rule.fate {
        Fate::Violated(_) => ("deny", Icon::Cross, words::decision::VIOLATION),
        Fate::NotApplicable(_) => ("na", Icon::Dash, words::decision::NOT_APPLICABLE),
        Fate::Passed => ("allow", Icon::Tick, words::decision::PASS),
    };
    let detail = match rule.fate {
        Fate::Violated(found) => {
            found.into_iter().map(|finding| view! { <Found finding/> }).collect_view().into_any()
        }
        Fate::NotApplicable(reason) => view! {
            <p>
                <bdi>{reason}</bdi>
                " "
                <span class="text-muted text-xs">{words::decision::GATE}</span>
            </p>
        }
        .into_any(),
        Fate::Passed => ().into_any(),
    };
    view! {
        <li class=tone>
            <span class="mark">
                {icon(drawing)}
                <span class="sr-only">{word}</span>
            </span>
            <div>
                <div class="rule-head">
                    <div>
                        <bdi class="rule-code">{rule.code}</bdi>
                        <bdi class="font-semibold">{rule.name}</bdi>
                    </div>
                    {rule.severity.map(|severity| view! { <SeverityChip severity/> })}
                </div>
                {detail}
                {rule.sentence.map(|said| view! { <p class="text-muted">{sentence(said)}</p> })}
            </div>
        </li>
    }
}

/// One failing check: the reason, then field, actual and expected value.
#[component]
fn Found(finding: Finding) -> impl IntoView {
    let pairs = [
        (words::decision::FIELD, finding.field),
        (words::decision::ACTUAL, finding.actual),
        (words::decision::EXPECTED, finding.expected),
    ];
    let pairs = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let pair = |(name, value)| {
        view! {
            <div>
                <dt>{name}</dt>
                <dd>
                    <bdi class="font-mono">{value}</bdi>
                </dd>
            </div>
        }
    };
    view! {
        <p>
            <bdi>{finding.reason}</bdi>
        </p>
        <dl class="finding">
            <div>
                <dt>{words::decision::CODE}</dt>
                <dd class="font-mono">{finding.code}</dd>
            </div>
            {pairs.map(pair).collect_view()}
        </dl>
    }
}
