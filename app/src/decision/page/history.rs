//! The history of a decision: the clauses of its rules, their version, the decision and its outcome.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::{
    decision::{view::DecisionPage as Decision, words},
    outcome::{view::OutcomeDetails, words as outcome_words},
    provenance::{
        view::{Origin, PolicyLine, ProvenanceRuleStatus, Ratified, RuleLine},
        words as provenance_words,
    },
    receipt::words as receipt_words,
    text::url,
    ui::{
        badge::VerdictBadge,
        time::{Exact, Minute, MinuteBy},
    },
};

/// The events from the first clause to the outcome, in this order.
#[component]
pub(super) fn History(decision: Decision) -> impl IntoView {
    let tenant = decision.tenant;
    let decided_at = decision.recorded_at;
    let policy = |mut policy: PolicyLine| {
        // A version that was activated again later has lost the time of its first activation.
        policy.activated_at = policy.activated_at.filter(|at| *at <= decided_at);
        policy_steps(tenant, policy)
    };
    let policies = decision.history.into_iter().map(policy).collect_view();
    let decided = view! {
        <VerdictBadge verdict=decision.verdict />
        " "
        <Exact at=decided_at />
    };
    let anchored = match decision.proof.anchored_at {
        Some(at) => view! { <Exact at /> }.into_any(),
        None => view! { <span class="text-muted">{receipt_words::NOT_ANCHORED}</span> }.into_any(),
    };
    view! {
        <section class="card" aria-labelledby="history">
            <h2 id="history">{provenance_words::TITLE}</h2>
            <ol class="timeline">
                {policies} {step(provenance_words::DECISION, decided)}
                {step(words::ANCHORED, anchored)}
                {step(provenance_words::OUTCOME, outcome(decision.outcome))}
            </ol>
        </section>
    }
}

fn step(title: &'static str, content: impl IntoView) -> AnyView {
    view! {
        <li>
            <p class="font-semibold">{title}</p>
            <div>{content}</div>
        </li>
    }
    .into_any()
}

/// Renders the clauses of the violated rules of a policy, its version, the ratification and the activation.
fn policy_steps(tenant: TenantId, policy: PolicyLine) -> AnyView {
    let PolicyLine { policy: id, name, version, origin, rules, ratified, activated_at, .. } =
        policy;
    let is_violated = |rule: &RuleLine| rule.status == ProvenanceRuleStatus::Violated;
    let violated: Vec<_> = rules.into_iter().filter(is_violated).collect();
    let sources = violated.iter().map(source).collect_view();
    let none = violated.is_empty().then(|| view! { <p>{origin.description()}</p> });
    let title = view! {
        <bdi>{name}</bdi>
        " v"
        {version}
    };
    let title = match origin {
        Origin::Above => title.into_any(),
        Origin::Clauses { .. } | Origin::Author => {
            view! { <a href=url::version(tenant, id, version)>{title}</a> }.into_any()
        }
    };
    let ratified = match ratified {
        Ratified::By(ratifier) => {
            view! { <MinuteBy at=ratifier.at by=Some(ratifier.name) /> }.into_any()
        }
        Ratified::Gone => provenance_words::APPROVAL_MISSING.into_any(),
        Ratified::Unrecorded => provenance_words::APPROVAL_NOT_RECORDED.into_any(),
    };
    let activated =
        activated_at.map(|at| step(provenance_words::ACTIVATED, view! { <Minute at /> }));
    view! {
        {step(provenance_words::CLAUSE, (sources, none))}
        {step(provenance_words::VERSION, title)}
        {step(provenance_words::RATIFIED, ratified)}
        {activated}
    }
    .into_any()
}

/// Renders the clauses of a rule, or the source that it cites.
fn source(rule: &RuleLine) -> AnyView {
    let clause = |(locator, text): &(String, String)| {
        view! {
            <p>
                <bdi class="font-semibold">{locator.clone()}</bdi>
                " "
                <bdi>{text.clone()}</bdi>
            </p>
        }
    };
    let none = rule.clauses.is_empty().then(|| match rule.cited.clone() {
        Some(cited) => {
            view! { <p>{provenance_words::CITED_SOURCE} " " <bdi>{cited}</bdi></p> }.into_any()
        }
        None => view! { <p>{provenance_words::NO_CLAUSE}</p> }.into_any(),
    });
    view! {
        <bdi class="rule-code">{rule.code.clone()}</bdi>
        {rule.clauses.iter().map(clause).collect_view()}
        {none}
    }
    .into_any()
}

fn outcome(outcome: Option<OutcomeDetails>) -> AnyView {
    match outcome {
        Some(outcome) => view! {
            {outcome_words::status(outcome.status)}
            " "
            <MinuteBy at=outcome.recorded_at by=Some(outcome.by) />
        }
        .into_any(),
        None => view! { <span class="text-muted">{provenance_words::NO_OUTCOME}</span> }.into_any(),
    }
}
