//! The page of a decision: the verdict with its reason, the proof, the rules, the inputs, the history and the outcome.

mod facts;
mod history;
mod inputs;
mod why;

use contract::{
    chain::ChainLinkInfo,
    replay::{Difference, Replay},
};
use governance::{
    access::member,
    deciding::{
        chain::{self, AdjacentSteps},
        decision::{
            self as service,
            provenance::{PolicyProvenance, Provenance},
        },
    },
};
use islands::explanation::{
    self as explain, Counts, PolicyExplanation, RuleBook, RuleExplanation,
    rules::verdict_without_shadow,
};
use page_kit::{
    prelude::*,
    text::verdict::title,
    ui::{badge::verdict_look, stamp::digest_seal},
};
use rules::provenance::PolicyLine;

use self::{
    facts::{facts, pairs},
    history::history,
    inputs::{evidence, inputs},
    why::{add_gates, rules},
};
use super::actor;
use crate::{
    outcome::{self, OutcomeDetails},
    receipt::{self, NOT_ANCHORED, logged_at},
};

/// A decision, and what the parts of the page show next to its record.
struct Decision {
    record: DecisionRecord,
    /// Every rule of every evaluated policy.
    policies: Vec<PolicyExplanation>,
    counts: Counts,
    /// Its link in a chain, and the adjacent steps.
    chain: Option<(ChainLinkInfo, AdjacentSteps)>,
    outcome: Option<OutcomeDetails>,
}

/// `/t/{tenant}/decisions/{decision}`
pub async fn decision() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("decision")?;
    let Provenance { decision: record, policies: origins } = service::provenance(&cx, id).await?;
    let names = member::names(&cx).await?;
    let replayed = match &*page::query("replay") {
        "now" => Some(service::replay(&cx, id).await?),
        _ => None,
    };
    let chain = match record.chain.clone() {
        Some(link) => Some((link, chain::adjacent_steps(&cx, id).await?)),
        None => None,
    };
    let book: RuleBook = origins.iter().flat_map(recorded_rules).collect();
    let mut policies = explain::policies(&record.evaluated_policies, &record.result, &book);
    add_gates(&mut policies, &book, &record.context);
    let outcome = record.outcome.clone().map(|outcome| OutcomeDetails::new(outcome, &names));
    let counts = Counts::of(&policies);
    let decision = Decision { record, policies, counts, chain, outcome };
    let shown = decision.explaining_policies();
    let origins = origins.into_iter().filter(|policy| shown.contains(&policy.policy_id));
    let line = |policy| PolicyLine::new(policy, &decision.policies, &names);
    let origins: Vec<_> = origins.map(line).collect();
    let Decision { record, .. } = &decision;
    let result = &record.result;
    let original = result.original_decision.filter(|_| result.shadow_converted);
    let role = cx.role().unwrap_or(Role::Viewer);
    Ok(any_view! {
        <Crumb href=url::decisions(tenant) label=super::TITLE />
        {head(&decision, role)}
        {original.map(verdict_without_shadow)}
        {replayed.map(|replayed| replay(replayed, result.timestamp))}
        <div class="why-grid">
            <div class="stack">{rules(&decision)}</div>
            <div class="stack">
                {inputs(record)?} {evidence(record)} {outcome_card(&decision, role)}
                {history(&decision, &origins)} {facts(&decision)}
            </div>
        </div>
    })
}

/// Returns the rules of a policy of the snapshot, by policy and code.
fn recorded_rules(
    policy: &PolicyProvenance,
) -> impl Iterator<Item = ((PolicyId, String), Rule)> + '_ {
    policy.rules.iter().map(|rule| ((policy.policy_id, rule.code.clone()), rule.clone()))
}

impl Decision {
    fn tenant(&self) -> TenantId {
        self.record.tenant_id
    }

    /// Returns the policies with violated rules, or the policy that determined the verdict.
    fn explaining_policies(&self) -> Vec<PolicyId> {
        let is_violated =
            |policy: &&PolicyExplanation| policy.rules.iter().any(RuleExplanation::is_violated);
        let violated = self.policies.iter().filter(is_violated).map(|policy| policy.policy);
        let violated: Vec<_> = violated.collect();
        if violated.is_empty() { vec![self.record.policy.id] } else { violated }
    }

    /// Renders the time of the evaluation and how long it took.
    fn evaluated(&self) -> AnyView {
        let result = &self.record.result;
        any_view! {
            {exact(result.timestamp)}
            ", "
            {format!("in {:.3} ms", result.evaluation_time_ms)}
        }
    }

    /// Returns the time of anchoring in the transparency log, as text.
    fn log(&self) -> String {
        logged_at(self.record.result.transparency_anchor.as_ref())
            .map_or_else(|| NOT_ANCHORED.to_owned(), |at| format!("Since {}", time::exact(at)))
    }
}

/// Renders the verdict with its reason, the actions, and the steps of the proof.
fn head(decision: &Decision, role: Role) -> AnyView {
    let record = &decision.record;
    let (tone, drawing) = verdict_look(record.decision);
    let reason = explain::summary(&record.evaluated_policies, &record.result, decision.counts);
    let mut reason = reason.into_iter();
    let (first, rest) = (reason.next(), reason.collect::<Vec<_>>().join(" "));
    let actor = actor(record).map(|actor| view! { <bdi>{actor}</bdi> });
    let title = title(record.decision, &record.decision_type);
    let (verdict, decision_type) = (record.decision.as_str(), record.decision_type.clone());
    any_view! {
        <section class=format!("verdict-head {tone}")>
            <div class="verdict-main">
                <span class="verdict-icon">{icon(drawing)}</span>
                <div class="verdict-text">
                    <Heading title>
                        <span class="verdict-word">{verdict}</span>
                        " "
                        <bdi class="verdict-type">{decision_type}</bdi>
                    </Heading>
                    <p class="verdict-why">
                        <strong>{first}</strong>
                        " "
                        {rest}
                    </p>
                    <div class="verdict-meta">
                        {exact(record.recorded_at)} {actor}
                        {short_digest(record.id.to_string(), "Decision")}
                    </div>
                </div>
                {actions(record, role)}
            </div>
            {proof(decision)}
        </section>
    }
}

fn actions(record: &DecisionRecord, role: Role) -> AnyView {
    let (tenant, id) = (record.tenant_id, record.id);
    let try_link = role.has(Right::Operate).then(|| {
        view! {
            <li>
                <a href=url::try_again(tenant, id)>"Try again"</a>
            </li>
        }
    });
    any_view! {
        <div class="row">
            <a
                class="button"
                href=url::with_query(&url::decision(tenant, id), &[("replay", "now")])
            >
                "Replay"
            </a>
            <a class="button" href=url::receipt(id)>
                "Receipt"
            </a>
            <a class="button primary" href=url::verify(id)>
                "Verify it yourself"
            </a>
            <details class="filter-menu">
                <summary class="button">"More" {icon(Icon::Down)}</summary>
                <ul class="filter-panel plain-list">
                    <li>
                        <a href=url::bundle(tenant, id)>"Bundle"</a>
                    </li>
                    {try_link}
                </ul>
            </details>
        </div>
    }
}

/// Renders the steps of the proof. A step that is pending or absent is dashed.
fn proof(decision: &Decision) -> AnyView {
    let record = &decision.record;
    let result = &record.result;
    let digest = |digest: &str, what: &'static str| short_digest(digest.to_owned(), what);
    let policies = count(decision.policies.len(), "policy", "policies");
    let rules = count(decision.counts.all(), "rule", "rules");
    let evaluated = view! {
        <p>{decision.evaluated()}</p>
        <p>{format!("{rules} of {policies}")}</p>
        {digest(&result.evaluated_rules_hash, receipt::RULES)}
    };
    let recorded = view! {
        <p>{exact(record.recorded_at)}</p>
        {digest(&result.integrity_hash, receipt::INTEGRITY)}
    };
    let signed = match &result.signature {
        Some(signature) => (true, digest(&signature.signature_kid, receipt::KEY)),
        None => (false, any_view! { <p>{receipt::UNSIGNED}</p> }),
    };
    let anchored = any_view! { <p>{decision.log()}</p> };
    let is_anchored = result.transparency_anchor.is_some();
    let chained = match &decision.chain {
        Some((link, _)) => {
            let link = view! {
                <p>{format!("Step {}", link.chain_step)}</p>
                <p>
                    <a href=url::chain(decision.tenant(), link.chain_id)>"Open the chain"</a>
                </p>
            };
            (true, link.into_any())
        }
        None => (false, any_view! { <p>"Not part of a chain"</p> }),
    };
    let step = |drawing: Icon, title: &'static str, (is_done, content): (bool, AnyView)| {
        let class = if is_done { "done" } else { "open" };
        view! {
            <li class=class>
                <span class="dot">{icon(drawing)}</span>
                <h3>{title}</h3>
                {content}
            </li>
        }
    };
    any_view! {
        <div class="proof-row">
            <h2 class="sr-only">"Proof"</h2>
            {digest_seal(&result.integrity_hash)}
            <ol class="proof-steps">
                {step(Icon::Scale, "Evaluated", (true, evaluated.into_any()))}
                {step(Icon::File, "Recorded", (true, recorded.into_any()))}
                {step(Icon::Sign, "Signed", signed)}
                {step(Icon::Log, "Anchored", (is_anchored, anchored))}
                {step(Icon::Chain, "In a chain", chained)}
            </ol>
        </div>
    }
}

/// Renders the outcome, or the note that there is none with the link to record one.
fn outcome_card(decision: &Decision, role: Role) -> AnyView {
    let content = match &decision.outcome {
        Some(outcome) => outcome_facts(outcome.clone()),
        None => no_outcome(decision, role),
    };
    any_view! {
        <section class="card">
            <h2>"Outcome"</h2>
            {content}
        </section>
    }
}

fn no_outcome(decision: &Decision, role: Role) -> AnyView {
    let href = url::outcome(decision.tenant(), decision.record.id);
    let link = role.has(Right::Operate).then(|| {
        view! {
            <p>
                <a class="button" href=href>
                    "Outcome…"
                </a>
            </p>
        }
    });
    let text = "No outcome yet. It can be recorded once and cannot be changed.";
    any_view! {
        <p class="text-muted">{text}</p>
        {link}
    }
}

fn outcome_facts(outcome: OutcomeDetails) -> AnyView {
    let details = [
        ("Note", outcome.note),
        ("Reference", outcome.reference_id),
        ("Actor", outcome.actor),
        ("Happened", outcome.occurred_at.map(time::minute)),
    ];
    let recorded = minute_by(outcome.recorded_at, Some(outcome.by));
    any_view! {
        <p class="font-semibold">{outcome::status(outcome.status)}</p>
        <dl>{pairs(details)} {fact("Recorded", recorded)}</dl>
    }
}

/// Renders the result of a replay of the stored context against the stored snapshot.
fn replay(replay: Replay, evaluated_at: Timestamp) -> AnyView {
    const DIFFERS: &str = "The replay differs from the record.";
    let differs = !replay.differences.is_empty();
    let (tone, message) = if differs {
        (Tone::Deny, DIFFERS)
    } else {
        (Tone::Allow, "The replay matches the recorded decision.")
    };
    let paragraphs = view! {
        <p class="font-semibold">{message}</p>
        <p>
            "The stored context was re-evaluated against the stored snapshot. Nothing was recorded. Dates were evaluated as of"
            " " {exact(evaluated_at)}
        </p>
    };
    let value = |value: &Option<Value>| {
        let text = value.as_ref().map_or_else(|| "–".to_owned(), Value::to_canonical);
        view! { <bdi>{text}</bdi> }
    };
    let table = Table::new(DIFFERS)
        .styled("Where", "font-mono", |difference: &Difference| difference.path.clone())
        .styled("Recorded", "font-mono", |difference| value(&difference.original))
        .styled("Replayed", "font-mono", |difference| value(&difference.replay));
    any_view! {
        <section class="card stack" aria-labelledby="replay">
            <h2 id="replay">"Replay"</h2>
            {long_note(tone, Some("status"), paragraphs)}
            {differs.then(|| table.of(&replay.differences))}
            <dl class="facts">
                {digest_fact("Integrity hash recorded", replay.original.integrity_hash)}
                {digest_fact("Integrity hash replayed", replay.replay.integrity_hash)}
            </dl>
        </section>
    }
}
