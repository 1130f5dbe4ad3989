//! The facts about a decision, its digests and its chain.

use contract::chain::ChainLinkInfo;
use governance::deciding::chain::{AdjacentSteps, Step};
use page_kit::prelude::*;

use super::Decision;
use crate::{decision::actor, receipt};

/// Renders the entries of a description list that have a value.
pub(super) fn pairs<const N: usize>(pairs: [(&'static str, Option<String>); N]) -> AnyView {
    let known = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let pair = |(name, value)| fact(name, view! { <bdi>{value}</bdi> });
    known.map(pair).collect_view().into_any()
}

pub(super) fn facts(decision: &Decision) -> AnyView {
    let record = &decision.record;
    let source = &record.governance_source;
    let details = [
        ("Actor", actor(record)),
        ("Recorded with key", record.api_key_name.clone()),
        ("Policy inherited from", (source.level > 0).then(|| source.tenant_name.clone())),
        ("Narrowed to", narrowed_to(record)),
    ];
    any_view! {
        <section class="card">
            <h2>"About"</h2>
            <dl>
                {id_fact("Decision", record.id.to_string())} {pairs(details)}
                <dt>"Evaluated at"</dt> <dd>{decision.evaluated()}</dd>
                {id_fact(messages::CORRELATION_ID, record.correlation_id.clone())}
                {id_fact("Idempotency key", record.idempotency_key.clone())}
            </dl>
        </section>
        {receipt_card(decision)}
        {decision.chain.as_ref().map(|(link, adjacent)| chain_card(decision, link, adjacent))}
    }
}

/// Returns the narrowing of the request as text: the code of the group and the names of the policies, for example
/// "policy group PAY: Spending limits, Large payments".
fn narrowed_to(record: &DecisionRecord) -> Option<String> {
    let narrowing = record.result.narrowing.as_ref()?;
    let policies = narrowing.policy_ids.as_ref().map(|ids| {
        let names = ids.iter().map(|id| {
            let mut evaluated = record.evaluated_policies.iter();
            let policy = evaluated.find(|policy| policy.policy_id == *id);
            policy.map_or_else(|| id.to_string(), |policy| policy.policy_name.clone())
        });
        let names = names.collect::<Vec<_>>().join(", ");
        if ids.is_empty() { "no policy".to_owned() } else { names }
    });
    Some(match (narrowing.policy_group_code.as_deref(), policies) {
        (Some(group), Some(policies)) => format!("policy group {group}: {policies}"),
        (Some(group), None) => format!("policy group {group}"),
        (None, policies) => policies.unwrap_or_default(),
    })
}

/// Renders the digests and the signature, shortened and in full.
fn receipt_card(decision: &Decision) -> AnyView {
    let record = &decision.record;
    let result = &record.result;
    let signature = result.signature.as_ref();
    let digests = [
        (receipt::INTEGRITY, Some(&result.integrity_hash)),
        ("Evidence manifest digest", result.evidence_manifest_digest.as_ref()),
        (receipt::SNAPSHOT, result.policy_snapshot_digest.as_ref()),
        (receipt::RULES, Some(&result.evaluated_rules_hash)),
        (receipt::SIGNATURE, signature.map(|signature| &signature.signature)),
        (receipt::KEY, signature.map(|signature| &signature.signature_kid)),
    ];
    let digests = digests.into_iter().filter_map(|(name, digest)| Some((name, digest?.clone())));
    let digests: Vec<_> = digests.filter(|(_, digest)| !digest.is_empty()).collect();
    let short = digests
        .clone()
        .into_iter()
        .map(|(what, digest)| fact(what, short_digest(digest, what)))
        .collect_view();
    let full = digests.into_iter().map(|(what, digest)| digest_fact(what, digest)).collect_view();
    let unsigned = signature.is_none().then(|| {
        view! {
            <dt>{receipt::SIGNATURE}</dt>
            <dd class="text-muted">{receipt::UNSIGNED}</dd>
        }
    });
    any_view! {
        <section class="card">
            <h2>"Receipt"</h2>
            <dl>
                {short} {unsigned} {id_fact("Snapshot", record.policy_snapshot_id.to_string())}
                {fact("Transparency log", decision.log())}
            </dl>
            <details class="disclosure">
                <summary>"Full values"</summary>
                <dl>{full}</dl>
            </details>
        </section>
    }
}

/// Renders the chain of a decision, its step, the adjacent steps and its parent.
fn chain_card(decision: &Decision, chain: &ChainLinkInfo, adjacent: &AdjacentSteps) -> AnyView {
    let tenant = decision.tenant();
    // An entry without an address is plain text.
    let entry = |what: &'static str, name: String, href: Option<String>| {
        fact(what, view! { <a href=href>{name}</a> })
    };
    let link = |what: &'static str, name: String, id: DecisionId| {
        entry(what, name, Some(url::decision(tenant, id)))
    };
    let step =
        |what: &'static str, step: &Step| link(what, step.step.to_string(), step.decision_id);
    let next = match &adjacent.after {
        Some(next) => step("Next step", next),
        None => entry("Next step", "None".to_owned(), None),
    };
    any_view! {
        <section class="card">
            <h2>"Chain"</h2>
            <dl>
                {entry(
                    "Chain",
                    chain.chain_id.to_string(),
                    Some(url::chain(tenant, chain.chain_id)),
                )} {entry("Step", chain.chain_step.to_string(), None)}
                {adjacent.before.as_ref().map(|before| step("Previous step", before))} {next}
                {chain.parent_decision_id.map(|id| link("Follows decision", id.to_string(), id))}
            </dl>
        </section>
    }
}
