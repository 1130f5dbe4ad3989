//! The picture from clause to rule to ratifier to decision to outcome: lists that a style sheet draws
//! from left to right, or from top to bottom where there is little room.

use contract::id::{DecisionId, TenantId};
use leptos::prelude::*;

use crate::{
    text::{url, words},
    ui::{
        badge::{ModeBadge, SeverityChip, VerdictBadge},
        code::Digest,
        icon::{Icon, icon},
        time::{Exact, Minute},
    },
    view::{
        lineage::{DecisionStep, Fared, Lineage, Origin, PolicyLine, Ratified, Ratifier, RuleLine},
        outcome::Told,
    },
};

/// The whole lineage.
#[component]
pub(super) fn Picture(lineage: Lineage, tenant: TenantId, id: DecisionId) -> impl IntoView {
    let summary = words::lineage::summary(&lineage);
    let Lineage { policies, decision, outcome } = lineage;
    let none = policies.is_empty().then(|| view! { <li>{words::lineage::NO_POLICY}</li> });
    view! {
        <section class="card" aria-labelledby="lineage">
            <h2 id="lineage">{words::lineage::TITLE}</h2>
            <figure class="lineage" aria-labelledby="lineage lineage-in-words">
                <figcaption id="lineage-in-words">{summary}</figcaption>
                <div class="stream">
                    <ol class="sources">
                        {none}
                        {policies
                            .into_iter()
                            .map(|policy| view! { <Source policy tenant/> })
                            .collect_view()}
                    </ol>
                    <Decided decision/>
                    <Happened outcome tenant id/>
                </div>
            </figure>
        </section>
    }
}

/// A policy: its rules with their clauses, and who ratified them.
#[component]
fn Source(policy: PolicyLine, tenant: TenantId) -> impl IntoView {
    let PolicyLine { policy: id, name, version, shadow, origin, rules, ratified } = policy;
    let title = format!("{name} v{version}");
    let title = match &origin {
        Origin::Above => view! { <bdi>{title}</bdi> }.into_any(),
        Origin::Clauses { .. } | Origin::Author => view! {
            <a href=url::version(tenant, id, version)>
                <bdi>{title}</bdi>
            </a>
        }
        .into_any(),
    };
    view! {
        <li class="source">
            <div class="pairs-side">
                <h3>{title} " " <ModeBadge shadow/></h3>
                <p class="text-muted text-xs">
                    {words::lineage::origin(&origin)}
                    {shadow.then_some(" ")}
                    {shadow.then_some(words::lineage::SHADOW)}
                </p>
                <ol class="pairs">
                    {rules.into_iter().map(|rule| view! { <Pair rule/> }).collect_view()}
                </ol>
            </div>
            <div class="node">
                <h4>{words::lineage::RATIFIER}</h4>
                {ratifier(ratified)}
            </div>
        </li>
    }
}

/// A rule, and what is behind it.
#[component]
fn Pair(rule: RuleLine) -> impl IntoView {
    let RuleLine { code, name, severity, fared, clauses, cited } = rule;
    let (class, drawing) = match fared {
        Fared::Violated => ("pair violated", Icon::Cross),
        Fared::NotApplicable => ("pair", Icon::Dash),
        Fared::Passed => ("pair", Icon::Tick),
        Fared::Inactive => ("pair off", Icon::Shadow),
    };
    let clause = |(locator, text): (String, String)| {
        view! {
            <p>
                <bdi class="font-semibold">{locator}</bdi>
                " "
                <bdi>{text}</bdi>
            </p>
        }
    };
    let behind = match (clauses.is_empty(), cited) {
        (false, _) => clauses.into_iter().map(clause).collect_view().into_any(),
        (true, Some(cited)) => view! {
            <p class="text-muted">{words::lineage::CITED} " " <bdi>{cited}</bdi></p>
        }
        .into_any(),
        (true, None) => view! { <p class="text-muted">{words::lineage::NO_CLAUSE}</p> }.into_any(),
    };
    view! {
        <li class=class>
            <div class="clause">
                <span class="sr-only">{words::lineage::CLAUSE} ": "</span>
                {behind}
            </div>
            <div class="rule">
                <span class="sr-only">{words::lineage::RULE} ": "</span>
                <p>
                    <bdi class="rule-code">{code}</bdi>
                    " "
                    <SeverityChip severity/>
                </p>
                {name.map(|name| view! { <p><bdi>{name}</bdi></p> })}
                <p class="fared">{icon(drawing)} " " {words::lineage::fared(fared)}</p>
            </div>
        </li>
    }
}

fn ratifier(ratified: Ratified) -> AnyView {
    let Ratifier { name, role, at, digest, signed, is_maker } = match ratified {
        Ratified::By(ratifier) => ratifier,
        Ratified::Gone => return view! { <p>{words::lineage::GONE}</p> }.into_any(),
        Ratified::Unrecorded => return view! { <p>{words::lineage::UNRECORDED}</p> }.into_any(),
    };
    let signed =
        if signed { words::lineage::APPROVAL_SIGNED } else { words::lineage::APPROVAL_UNSIGNED };
    view! {
        <p class="font-semibold">
            <bdi>{name}</bdi>
        </p>
        <p>{words::lineage::AS} " " {role}</p>
        <p>
            <Minute at/>
        </p>
        {is_maker.then(|| view! { <p>{words::lineage::WAS_MAKER}</p> })}
        <p class="text-muted">{signed}</p>
        <details class="disclosure">
            <summary>{words::lineage::APPROVAL}</summary>
            <Digest digest what=words::lineage::APPROVAL/>
        </details>
    }
    .into_any()
}

#[component]
fn Decided(decision: DecisionStep) -> impl IntoView {
    view! {
        <div class="node">
            <h3>{words::lineage::DECISION}</h3>
            <p>
                <VerdictBadge verdict=decision.verdict/>
            </p>
            <p>
                <Exact at=decision.at/>
            </p>
            <p>{words::lineage::signed(decision.signed)}</p>
            <p>{words::lineage::logged(decision.log_index)}</p>
        </div>
    }
}

#[component]
fn Happened(outcome: Option<Told>, tenant: TenantId, id: DecisionId) -> impl IntoView {
    let told = match outcome {
        Some(told) => view! {
            <p class="font-semibold">{words::outcome::status(told.status)}</p>
            {told.note.map(|note| view! { <p><bdi>{note}</bdi></p> })}
            <p>
                <Minute at=told.recorded_at/>
                " "
                {words::BY}
                " "
                <bdi>{told.by}</bdi>
            </p>
        }
        .into_any(),
        None => view! {
            <p>
                <a href=url::decision(tenant, id)>{words::lineage::NO_OUTCOME}</a>
            </p>
        }
        .into_any(),
    };
    view! {
        <div class="node">
            <h3>{words::lineage::OUTCOME}</h3>
            {told}
        </div>
    }
}
