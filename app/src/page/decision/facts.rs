//! The input of a decision and its proof.

use leptos::prelude::*;

use crate::{
    text::{messages, url},
    ui::{
        code::CodeBlock,
        facts::{digest_fact, fact, id_fact},
        params,
        time::Exact,
    },
    view::decision::{DecisionPage as Decision, Proof},
};

/// Context, evidence, snapshot and raw record, of which the tab in the address selects one.
#[component]
pub(super) fn Parts(decision: Decision, path: String) -> impl IntoView {
    let selected_tab = params::query("look");
    let tab = move |(name, label): (&'static str, &'static str)| {
        let href = url::with_query(&path, &[("look", name)]);
        let current = move || (selected_tab() == name).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {label}
            </a>
        }
    };
    let tabs = [
        ("", messages::decision::CONTEXT),
        ("evidence", messages::decision::EVIDENCE),
        ("snapshot", messages::decision::SNAPSHOT),
        ("raw", messages::decision::RAW),
    ];
    let decision = StoredValue::new(decision);
    let content = move || {
        let decision = decision.get_value();
        match selected_tab().as_str() {
            "evidence" => view! { <Evidence items=decision.evidence /> }.into_any(),
            "snapshot" => view! { <Snapshot proof=decision.proof /> }.into_any(),
            "raw" => {
                view! { <CodeBlock text=decision.raw label=messages::decision::RAW /> }.into_any()
            }
            _ => view! { <CodeBlock text=decision.context label=messages::decision::CONTEXT /> }
                .into_any(),
        }
    };
    view! {
        <section class="card flush">
            <h2 class="sr-only">{messages::decision::INPUTS}</h2>
            <nav class="tabs" aria-label=messages::decision::INPUTS>
                {tabs.map(tab)}
            </nav>
            <div class="pad">{content}</div>
        </section>
    }
}

#[component]
fn Evidence(items: Vec<(String, String)>) -> impl IntoView {
    if items.is_empty() {
        return view! { <p class="text-muted">{messages::decision::NO_EVIDENCE}</p> }.into_any();
    }
    let item = |(kind, text): (String, String)| {
        view! {
            <h3>
                <bdi>{kind}</bdi>
            </h3>
            <CodeBlock text label=messages::decision::EVIDENCE />
        }
    };
    items.into_iter().map(item).collect_view().into_any()
}

#[component]
fn Snapshot(proof: Proof) -> impl IntoView {
    view! {
        <dl class="facts">
            {id_fact(messages::decision::SNAPSHOT_ID, proof.snapshot_id)}
            {digest_fact(messages::decision::SNAPSHOT_DIGEST, proof.snapshot_digest)}
            {digest_fact(messages::decision::RULES_HASH, proof.rules_hash)}
        </dl>
    }
}

/// Renders the entries of a description list that have a value.
pub(super) fn pairs<const N: usize>(pairs: [(&'static str, Option<String>); N]) -> AnyView {
    let known = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let pair = |(name, value)| fact(name, view! { <bdi>{value}</bdi> });
    known.map(pair).collect_view().into_any()
}

#[component]
pub(super) fn Facts(decision: Decision) -> impl IntoView {
    let proof = decision.proof;
    let signature = match proof.signature {
        Some(signature) => view! {
            {digest_fact(messages::decision::SIGNATURE, signature.signature)}
            {digest_fact(messages::decision::KEY, signature.signature_kid)}
        }
        .into_any(),
        None => view! {
            <dt>{messages::decision::SIGNATURE}</dt>
            <dd class="text-muted">{messages::decision::UNSIGNED}</dd>
        }
        .into_any(),
    };
    let chain_entry = |(what, name, href): (String, String, String)| {
        // An entry without an address is plain text.
        let href = (!href.is_empty()).then_some(href);
        fact(what, view! { <a href=href>{name}</a> })
    };
    let chain = (!decision.chain.is_empty()).then(|| {
        view! {
            <section class="card">
                <h2>{messages::decision::CHAIN}</h2>
                <dl>{decision.chain.into_iter().map(chain_entry).collect_view()}</dl>
            </section>
        }
    });
    let details = [
        (messages::decision::ACTOR, decision.actor),
        (messages::decision::RECORDED_WITH, decision.key_name),
        (messages::decision::INHERITED, decision.inherited_from),
        (messages::decision::NARROWED, decision.narrowed_to),
    ];
    view! {
        <section class="card">
            <h2>{messages::decision::ABOUT}</h2>
            <dl>
                {id_fact(messages::decision::ID, decision.id.to_string())} {pairs(details)}
                <dt>{messages::decision::EVALUATED_AT}</dt> <dd>
                    <Exact at=decision.evaluated_at />
                    ", "
                    {messages::decision::duration(&decision.took)}
                </dd> {id_fact(messages::CORRELATION_ID, proof.correlation_id)}
                {id_fact(messages::decision::IDEMPOTENCY, proof.idempotency_key)}
            </dl>
        </section>
        <section class="card">
            <h2>{messages::decision::RECEIPT}</h2>
            <dl>
                {digest_fact(messages::decision::INTEGRITY, proof.integrity_hash)}
                {proof
                    .evidence_digest
                    .map(|digest| digest_fact(messages::decision::EVIDENCE_DIGEST, digest))}
                {signature} {fact(messages::receipt::LOG, proof.log)}
            </dl>
        </section>
        {chain}
    }
}
