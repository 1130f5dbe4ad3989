//! The provenance diagram: clause, rule, ratifier, decision, outcome. It consists of lists; a style sheet
//! arranges them from left to right, or from top to bottom in a narrow window.

use contract::id::{DecisionId, TenantId};
use leptos::prelude::*;

use crate::{
    outcome::{self, OutcomeDetails},
    provenance::{
        view::{
            DecisionStep, Origin, PolicyLine, ProvenanceRuleStatus, ProvenanceView, Ratified,
            Ratifier, RuleLine,
        },
        words as provenance_words,
    },
    text::url,
    ui::{
        badge::ModeBadge,
        badge::{SeverityChip, VerdictBadge},
        code::Digest,
        icon::{Icon, icon},
        time::{Exact, Minute, MinuteBy},
    },
};

#[component]
pub(super) fn ProvenanceDiagram(
    provenance: ProvenanceView,
    tenant: TenantId,
    id: DecisionId,
) -> impl IntoView {
    let summary = provenance.summary();
    let ProvenanceView { policies, decision, outcome } = provenance;
    let none = policies.is_empty().then(|| view! { <li>{provenance_words::NO_POLICY}</li> });
    view! {
        <section class="card" aria-labelledby="lineage">
            <h2 id="lineage">{provenance_words::TITLE}</h2>
            <figure class="lineage" aria-labelledby="lineage lineage-in-words">
                <figcaption id="lineage-in-words">{summary}</figcaption>
                <div class="stream">
                    <ol class="sources">
                        {none}
                        {policies
                            .into_iter()
                            .map(|policy| view! { <Source policy tenant /> })
                            .collect_view()}
                    </ol>
                    <DecisionBox decision />
                    <OutcomeBox outcome tenant id />
                </div>
            </figure>
        </section>
    }
}

/// A policy: its rules with their clauses, and its ratifier.
#[component]
fn Source(policy: PolicyLine, tenant: TenantId) -> impl IntoView {
    let PolicyLine { policy: id, name, version, shadow, origin, rules, ratified, .. } = policy;
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
                <h3>{title} " " <ModeBadge shadow /></h3>
                <p class="text-muted text-xs">
                    {origin.description()} {shadow.then_some(" ")}
                    {shadow.then_some(provenance_words::SHADOW)}
                </p>
                <ol class="pairs">
                    {rules.into_iter().map(|rule| view! { <Pair rule /> }).collect_view()}
                </ol>
            </div>
            <div class="node">
                <h4>{provenance_words::RATIFIER}</h4>
                {ratifier(ratified)}
            </div>
        </li>
    }
}

/// A rule and the clauses that it comes from.
#[component]
fn Pair(rule: RuleLine) -> impl IntoView {
    let RuleLine { code, name, severity, status: rule_status, clauses, cited } = rule;
    let (class, drawing) = match rule_status {
        ProvenanceRuleStatus::Violated => ("pair violated", Icon::Cross),
        ProvenanceRuleStatus::NotApplicable => ("pair", Icon::Dash),
        ProvenanceRuleStatus::Passed => ("pair", Icon::Tick),
        ProvenanceRuleStatus::Inactive => ("pair off", Icon::Shadow),
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
    let source = match (clauses.is_empty(), cited) {
        (false, _) => clauses.into_iter().map(clause).collect_view().into_any(),
        (true, Some(cited)) => view! { <p class="text-muted">{provenance_words::CITED_SOURCE} " " <bdi>{cited}</bdi></p> }
        .into_any(),
        (true, None) => {
            view! { <p class="text-muted">{provenance_words::NO_CLAUSE}</p> }.into_any()
        }
    };
    view! {
        <li class=class>
            <div class="clause">
                <span class="sr-only">{provenance_words::CLAUSE} ": "</span>
                {source}
            </div>
            <div class="rule">
                <span class="sr-only">{provenance_words::RULE} ": "</span>
                <p>
                    <bdi class="rule-code">{code}</bdi>
                    " "
                    <SeverityChip severity />
                </p>
                {name
                    .map(|name| {
                        view! {
                            <p>
                                <bdi>{name}</bdi>
                            </p>
                        }
                    })}
                <p class="rule-status">{icon(drawing)} " " {rule_status.label()}</p>
            </div>
        </li>
    }
}

fn ratifier(ratified: Ratified) -> AnyView {
    let Ratifier { name, role, at, digest, signed, is_maker } = match ratified {
        Ratified::By(ratifier) => ratifier,
        Ratified::Gone => {
            return view! { <p>{provenance_words::APPROVAL_MISSING}</p> }.into_any();
        }
        Ratified::Unrecorded => {
            return view! { <p>{provenance_words::APPROVAL_NOT_RECORDED}</p> }.into_any();
        }
    };
    let signed = if signed {
        provenance_words::APPROVAL_SIGNED
    } else {
        provenance_words::APPROVAL_UNSIGNED
    };
    view! {
        <p class="font-semibold">
            <bdi>{name}</bdi>
        </p>
        <p>{provenance_words::AS} " " {role}</p>
        <p>
            <Minute at />
        </p>
        {is_maker.then(|| view! { <p>{provenance_words::WAS_MAKER}</p> })}
        <p class="text-muted">{signed}</p>
        <details class="disclosure">
            <summary>{provenance_words::APPROVAL}</summary>
            <Digest digest what=provenance_words::APPROVAL />
        </details>
    }
    .into_any()
}

#[component]
fn DecisionBox(decision: DecisionStep) -> impl IntoView {
    view! {
        <div class="node">
            <h3>{provenance_words::DECISION}</h3>
            <p>
                <VerdictBadge verdict=decision.verdict />
            </p>
            <p>
                <Exact at=decision.at />
            </p>
            <p>{decision.signed.description()}</p>
            <p>{provenance_words::log_entry(decision.log_index)}</p>
        </div>
    }
}

#[component]
fn OutcomeBox(outcome: Option<OutcomeDetails>, tenant: TenantId, id: DecisionId) -> impl IntoView {
    let details = match outcome {
        Some(details) => view! {
            <p class="font-semibold">{outcome::status(details.status)}</p>
            {details
                .note
                .map(|note| {
                    view! {
                        <p>
                            <bdi>{note}</bdi>
                        </p>
                    }
                })}
            <p>
                <MinuteBy at=details.recorded_at by=Some(details.by) />
            </p>
        }
        .into_any(),
        None => view! {
            <p>
                <a href=url::decision(tenant, id)>{provenance_words::NO_OUTCOME}</a>
            </p>
        }
        .into_any(),
    };
    view! {
        <div class="node">
            <h3>{provenance_words::OUTCOME}</h3>
            {details}
        </div>
    }
}
