//! The provenance of a decision as a diagram: clause, rule, ratifier, decision, outcome. It consists of lists; a style
//! sheet arranges them from left to right, or from top to bottom in a narrow window.

use governance::deciding::decision::provenance::Provenance;
use islands::explanation::{self as explain, RuleBook};
use page_kit::prelude::*;
use rules::provenance::{NO_OUTCOME, PolicyLine, RuleLine, RuleStatus, TITLE};

use crate::{
    outcome::{self, OutcomeDetails},
    receipt::APPROVAL,
};

/// Renders the diagram. `names` are the names of users.
pub(super) fn diagram(provenance: Provenance, names: &Names) -> AnyView {
    let Provenance { decision, policies } = provenance;
    let explained =
        explain::policies(&decision.evaluated_policies, &decision.result, &RuleBook::new());
    let line = |policy| PolicyLine::new(policy, &explained, names);
    let policies: Vec<_> = policies.into_iter().map(line).collect();
    let sources = if policies.is_empty() {
        any_view! { <li>"No policy was active for this decision type."</li> }
    } else {
        policies.iter().map(|policy| source(&decision, policy)).collect_view().into_any()
    };
    any_view! {
        <section class="card" aria-labelledby="lineage">
            <h2 id="lineage">{TITLE}</h2>
            <figure class="lineage" aria-labelledby="lineage lineage-in-words">
                <figcaption id="lineage-in-words">{summary(&decision, &policies)}</figcaption>
                <div class="stream">
                    <ol class="sources">{sources}</ol>
                    {decision_box(&decision)}
                    {outcome_box(decision, names)}
                </div>
            </figure>
        </section>
    }
}

/// Returns the whole diagram as one sentence.
fn summary(decision: &DecisionRecord, policies: &[PolicyLine]) -> String {
    let rules: Vec<_> = policies.iter().flat_map(|policy| &policy.rules).collect();
    let from_clauses = rules.iter().filter(|rule| !rule.clauses.is_empty()).count();
    let violated = rules.iter().filter(|rule| rule.status == RuleStatus::Violated).count();
    let mut ratifiers: Vec<&str> = Vec::new();
    for policy in policies.iter().filter(|policy| policy.approval().is_ok()) {
        if !ratifiers.contains(&&*policy.ratifier) {
            ratifiers.push(&policy.ratifier);
        }
    }
    let by = if ratifiers.is_empty() {
        "no one on record".to_owned()
    } else {
        isolated(&ratifiers.join(", ")).into_owned()
    };
    let outcome = decision
        .outcome
        .as_ref()
        .map(|outcome| format!("Outcome: {}.", outcome::status(outcome.status).to_lowercase()));
    format!(
        "{}, {from_clauses} of them from a clause, in {}, ratified by {by}, gave {}: {} violated. {}",
        count(rules.len(), "rule", "rules"),
        count(policies.len(), "policy", "policies"),
        decision.decision,
        count(violated, "was", "were"),
        outcome.as_deref().unwrap_or(NO_OUTCOME),
    )
}

/// Renders a policy: its rules with their clauses, and its ratifier.
fn source(decision: &DecisionRecord, line: &PolicyLine) -> AnyView {
    let title = format!("{} v{}", line.policy.name, line.policy.version);
    let title = line.title(decision.tenant_id, view! { <bdi>{title}</bdi> });
    let shadow = line.is_shadow.then_some(" Shadow mode: did not affect the verdict.");
    any_view! {
        <li class="source">
            <div class="pairs-side">
                <h3>{title} " " {mode_badge(line.is_shadow)}</h3>
                <p class="text-muted text-xs">{line.origin()} {shadow}</p>
                <ol class="pairs">{line.rules.iter().map(pair).collect_view()}</ol>
            </div>
            <div class="node">
                <h4>"Ratified by"</h4>
                {ratifier(line)}
            </div>
        </li>
    }
}

/// Renders a rule and the clauses that it comes from.
fn pair(line: &RuleLine) -> AnyView {
    let (class, drawing, status) = match line.status {
        RuleStatus::Violated => ("pair violated", Icon::Cross, "violated"),
        RuleStatus::NotApplicable => ("pair", Icon::Dash, "not applicable"),
        RuleStatus::Passed => ("pair", Icon::Tick, "passed"),
        RuleStatus::Inactive => ("pair off", Icon::Shadow, "inactive"),
    };
    let name = line.rule.name.clone().map(|name| {
        view! {
            <p>
                <bdi>{name}</bdi>
            </p>
        }
    });
    any_view! {
        <li class=class>
            <div class="clause">
                <span class="sr-only">"Clause: "</span>
                {line.sources(Some("text-muted"))}
            </div>
            <div class="rule">
                <span class="sr-only">"Rule: "</span>
                <p>
                    <bdi class="rule-code">{line.rule.code.clone()}</bdi>
                    " "
                    {severity_chip(line.rule.severity)}
                </p>
                {name}
                <p class="rule-status">{icon(drawing)} " " {status}</p>
            </div>
        </li>
    }
}

fn ratifier(line: &PolicyLine) -> AnyView {
    let approval = match line.approval() {
        Ok(approval) => approval,
        Err(reason) => return any_view! { <p>{reason}</p> },
    };
    let digest = line.policy.approval_digest.clone().unwrap_or_default();
    let is_maker = approval.is_by_maker;
    let signed = if approval.kid.is_some() {
        "The approval is signed."
    } else {
        "The approval is unsigned."
    };
    any_view! {
        <p class="font-semibold">
            <bdi>{line.ratifier.clone()}</bdi>
        </p>
        <p>"as " {approval.role.clone()}</p>
        <p>{minute(approval.ratified_at)}</p>
        {is_maker.then(|| view! { <p>"Also authored this version."</p> })}
        <p class="text-muted">{signed}</p>
        <details class="disclosure">
            <summary>{APPROVAL}</summary>
            {digest_code(digest, APPROVAL)}
        </details>
    }
}

fn decision_box(decision: &DecisionRecord) -> AnyView {
    let result = &decision.result;
    let signed = match (&result.signature, result.receipt_schema_version) {
        (None, _) => "Unsigned. Signing was not configured.",
        (Some(_), 2) => "The receipt is signed.",
        (Some(_), _) => {
            "Recorded in version 1: the signature covers only the hash and does not identify the decision."
        }
    };
    let anchor = result.transparency_anchor.as_ref();
    let index = anchor.and_then(|anchor| anchor.get("log_index")?.to_canonical().parse().ok());
    let entry = index.map(|index: u64| format!("Entry {index} of the transparency log."));
    any_view! {
        <div class="node">
            <h3>"Decision"</h3>
            <p>
                <VerdictBadge verdict=decision.decision />
            </p>
            <p>{exact(decision.recorded_at)}</p>
            <p>{signed}</p>
            <p>{entry.unwrap_or_else(|| "Not yet in the transparency log.".to_owned())}</p>
        </div>
    }
}

fn outcome_box(decision: DecisionRecord, names: &Names) -> AnyView {
    let page = url::decision(decision.tenant_id, decision.id);
    let details = match decision.outcome.map(|outcome| OutcomeDetails::new(outcome, names)) {
        Some(details) => any_view! {
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
            <p>{minute_by(details.recorded_at, Some(details.by))}</p>
        },
        None => any_view! {
            <p>
                <a href=page>{NO_OUTCOME}</a>
            </p>
        },
    };
    any_view! {
        <div class="node">
            <h3>"Outcome"</h3>
            {details}
        </div>
    }
}
