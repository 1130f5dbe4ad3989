//! The history of a decision: the clauses of its rules, their version, the decision and its outcome.

use page_kit::prelude::*;
use rules::provenance::{NO_OUTCOME, PolicyLine, RuleStatus, TITLE};

use super::Decision;
use crate::{
    outcome::{self, OutcomeDetails},
    receipt::{NOT_ANCHORED, logged_at},
};

/// Renders the events from the first clause to the outcome, in this order. `policies` are the origins of the policies
/// with violated rules, or of the policy that determined the verdict.
pub(super) fn history(decision: &Decision, policies: &[PolicyLine]) -> AnyView {
    let record = &decision.record;
    let policies = policies.iter().map(|policy| policy_steps(record, policy)).collect_view();
    let decided = view! {
        <VerdictBadge verdict=record.decision />
        " "
        {exact(record.recorded_at)}
    };
    let anchored = match logged_at(record.result.transparency_anchor.as_ref()) {
        Some(at) => exact(at),
        None => any_view! { <span class="text-muted">{NOT_ANCHORED}</span> },
    };
    any_view! {
        <section class="card" aria-labelledby="history">
            <h2 id="history">{TITLE}</h2>
            <ol class="timeline">
                {policies} {step("Decision", decided)} {step("Anchored", anchored)}
                {step("Outcome", outcome(decision.outcome.clone()))}
            </ol>
        </section>
    }
}

fn step(title: &'static str, content: impl IntoView) -> AnyView {
    any_view! {
        <li>
            <p class="font-semibold">{title}</p>
            <div>{content}</div>
        </li>
    }
}

/// Renders the clauses of the violated rules of a policy, its version, the ratification and the activation.
fn policy_steps(decision: &DecisionRecord, line: &PolicyLine) -> AnyView {
    let violated = line.rules.iter().filter(|rule| rule.status == RuleStatus::Violated);
    let sources: Vec<_> = violated
        .map(|rule| {
            view! {
                <bdi class="rule-code">{rule.rule.code.clone()}</bdi>
                {rule.sources(None)}
            }
        })
        .collect();
    let none = sources.is_empty().then(|| view! { <p>{line.origin()}</p> });
    let title = view! {
        <bdi>{line.policy.name.clone()}</bdi>
        " v"
        {line.policy.version}
    };
    let ratified = match line.approval() {
        Ok(approval) => minute_by(approval.ratified_at, Some(line.ratifier.clone())),
        Err(reason) => reason.into_any(),
    };
    // A version that was activated again later has lost the time of its first activation.
    let activated_at = line.policy.activated_at.filter(|at| *at <= decision.recorded_at);
    let activated = activated_at.map(|at| step("Activated", minute(at)));
    any_view! {
        {step("Clause", (sources, none))}
        {step("Version", line.title(decision.tenant_id, title))}
        {step("Ratified", ratified)}
        {activated}
    }
}

fn outcome(outcome: Option<OutcomeDetails>) -> AnyView {
    match outcome {
        Some(outcome) => any_view! {
            {outcome::status(outcome.status)}
            " "
            {minute_by(outcome.recorded_at, Some(outcome.by))}
        },
        None => any_view! { <span class="text-muted">{NO_OUTCOME}</span> },
    }
}
