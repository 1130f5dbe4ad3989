//! The history of a decision: the clauses of its rules, their version, the decision and its outcome.

use contract::id::TenantId;
use leptos::prelude::*;

use super::Decision;
use crate::{
    outcome::{self, OutcomeDetails},
    provenance::view::{Origin, PolicyLine, ProvenanceRuleStatus, Ratified, RuleLine},
    receipt::{view::logged_at, words as receipt_words},
    text::url,
    ui::{
        badge::VerdictBadge,
        time::{Exact, Minute, MinuteBy},
    },
};

/// Renders the events from the first clause to the outcome, in this order. `policies` are the origins of the policies
/// with violated rules, or of the policy that determined the verdict.
pub(super) fn history(decision: &Decision, policies: Vec<PolicyLine>) -> AnyView {
    let record = &decision.record;
    let decided_at = record.recorded_at;
    let policy = |mut policy: PolicyLine| {
        // A version that was activated again later has lost the time of its first activation.
        policy.activated_at = policy.activated_at.filter(|at| *at <= decided_at);
        policy_steps(record.tenant_id, policy)
    };
    let policies = policies.into_iter().map(policy).collect_view();
    let decided = view! {
        <VerdictBadge verdict=record.decision />
        " "
        <Exact at=decided_at />
    };
    let anchored = match logged_at(record.result.transparency_anchor.as_ref()) {
        Some(at) => view! { <Exact at /> }.into_any(),
        None => view! { <span class="text-muted">{receipt_words::NOT_ANCHORED}</span> }.into_any(),
    };
    view! {
        <section class="card" aria-labelledby="history">
            <h2 id="history">"From clause to outcome"</h2>
            <ol class="timeline">
                {policies} {step("Decision", decided)} {step("Anchored", anchored)}
                {step("Outcome", outcome(decision.outcome.clone()))}
            </ol>
        </section>
    }
    .into_any()
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
        Ratified::Gone => "The snapshot refers to an approval that is not stored here.".into_any(),
        Ratified::Unrecorded => {
            "No approval recorded. The version was activated before approvals were stored."
                .into_any()
        }
    };
    let activated = activated_at.map(|at| step("Activated", view! { <Minute at /> }));
    view! {
        {step("Clause", (sources, none))}
        {step("Version", title)}
        {step("Ratified", ratified)}
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
            view! { <p>"No clause. Cited source:" " " <bdi>{cited}</bdi></p> }.into_any()
        }
        None => view! { <p>"No clause"</p> }.into_any(),
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
            {outcome::status(outcome.status)}
            " "
            <MinuteBy at=outcome.recorded_at by=Some(outcome.by) />
        }
        .into_any(),
        None => view! { <span class="text-muted">"No outcome recorded yet."</span> }.into_any(),
    }
}
