//! What a decision was made on, and what it is proved with.

use leptos::prelude::*;

use crate::{
    page::params,
    text::{url, words},
    ui::{
        code::{CodeBlock, Digest, Id},
        time::Exact,
    },
    view::decision::{DecisionPage as Decision, Proof},
};

/// Context, evidence, snapshot and raw record, under the tab that the address names.
#[component]
pub(super) fn Parts(decision: Decision, path: String) -> impl IntoView {
    let look = params::query("look");
    let tab = move |(name, word): (&'static str, &'static str)| {
        let href = url::with_query(&path, &[("look", name)]);
        let current = move || (look() == name).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {word}
            </a>
        }
    };
    let tabs = [
        ("", words::decision::CONTEXT),
        ("evidence", words::decision::EVIDENCE),
        ("snapshot", words::decision::SNAPSHOT),
        ("raw", words::decision::RAW),
    ];
    let decision = StoredValue::new(decision);
    let shown = move || {
        let decision = decision.get_value();
        match look().as_str() {
            "evidence" => view! { <Evidence items=decision.evidence/> }.into_any(),
            "snapshot" => view! { <Snapshot proof=decision.proof/> }.into_any(),
            "raw" => view! { <CodeBlock text=decision.raw label=words::decision::RAW/> }.into_any(),
            _ => view! { <CodeBlock text=decision.context label=words::decision::CONTEXT/> }
                .into_any(),
        }
    };
    view! {
        <section class="card flush">
            <h2 class="sr-only">{words::decision::MADE_ON}</h2>
            <nav class="tabs" aria-label=words::decision::MADE_ON>
                {tabs.map(tab)}
            </nav>
            <div class="pad">{shown}</div>
        </section>
    }
}

#[component]
fn Evidence(items: Vec<(String, String)>) -> impl IntoView {
    if items.is_empty() {
        return view! { <p class="text-muted">{words::decision::NO_EVIDENCE}</p> }.into_any();
    }
    let item = |(kind, text): (String, String)| {
        view! {
            <h3>
                <bdi>{kind}</bdi>
            </h3>
            <CodeBlock text label=words::decision::EVIDENCE/>
        }
    };
    items.into_iter().map(item).collect_view().into_any()
}

#[component]
fn Snapshot(proof: Proof) -> impl IntoView {
    view! {
        <dl class="facts">
            <dt>{words::decision::SNAPSHOT_ID}</dt>
            <dd>
                <Id id=proof.snapshot_id what=words::decision::SNAPSHOT_ID/>
            </dd>
            <dt>{words::decision::SNAPSHOT_DIGEST}</dt>
            <dd>
                <Digest digest=proof.snapshot_digest what=words::decision::SNAPSHOT_DIGEST/>
            </dd>
            <dt>{words::decision::RULES_HASH}</dt>
            <dd>
                <Digest digest=proof.rules_hash what=words::decision::RULES_HASH/>
            </dd>
        </dl>
    }
}

/// The terms of a list whose values are known.
pub(super) fn pairs<const N: usize>(pairs: [(&'static str, Option<String>); N]) -> AnyView {
    let known = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let pair = |(name, value)| {
        view! {
            <dt>{name}</dt>
            <dd>
                <bdi>{value}</bdi>
            </dd>
        }
    };
    known.map(pair).collect_view().into_any()
}

/// Who, when, and the receipt.
#[component]
pub(super) fn Facts(decision: Decision) -> impl IntoView {
    let proof = decision.proof;
    let signature = match proof.signature {
        Some(signature) => view! {
            <dt>{words::decision::SIGNATURE}</dt>
            <dd>
                <Digest digest=signature.signature what=words::decision::SIGNATURE/>
            </dd>
            <dt>{words::decision::KEY}</dt>
            <dd>
                <Digest digest=signature.signature_kid what=words::decision::KEY/>
            </dd>
        }
        .into_any(),
        None => view! {
            <dt>{words::decision::SIGNATURE}</dt>
            <dd class="text-muted">{words::decision::UNSIGNED}</dd>
        }
        .into_any(),
    };
    let beside = |(what, name, href): (String, String, String)| {
        // What has no address is only said.
        let href = (!href.is_empty()).then_some(href);
        view! {
            <dt>{what}</dt>
            <dd>
                <a href=href>{name}</a>
            </dd>
        }
    };
    let chain = (!decision.chain.is_empty()).then(|| {
        view! {
            <section class="card">
                <h2>{words::decision::CHAIN}</h2>
                <dl>{decision.chain.into_iter().map(beside).collect_view()}</dl>
            </section>
        }
    });
    let named = [
        (words::decision::ACTOR, decision.actor),
        (words::decision::RECORDED_WITH, decision.key_name),
        (words::decision::INHERITED, decision.inherited_from),
        (words::decision::NARROWED, decision.narrowed_to),
    ];
    view! {
        <section class="card">
            <h2>{words::decision::ABOUT}</h2>
            <dl>
                <dt>{words::decision::ID}</dt>
                <dd>
                    <Id id=decision.id.to_string() what=words::decision::ID/>
                </dd>
                {pairs(named)}
                <dt>{words::decision::EVALUATED_AT}</dt>
                <dd>
                    <Exact at=decision.evaluated_at/>
                    ", "
                    {words::decision::took(&decision.took)}
                </dd>
                <dt>{words::CORRELATION_ID}</dt>
                <dd>
                    <Id id=proof.correlation_id what=words::CORRELATION_ID/>
                </dd>
                <dt>{words::decision::IDEMPOTENCY}</dt>
                <dd>
                    <Id id=proof.idempotency_key what=words::decision::IDEMPOTENCY/>
                </dd>
            </dl>
        </section>
        <section class="card">
            <h2>{words::decision::RECEIPT}</h2>
            <dl>
                <dt>{words::decision::INTEGRITY}</dt>
                <dd>
                    <Digest digest=proof.integrity_hash what=words::decision::INTEGRITY/>
                </dd>
                {proof
                    .evidence_digest
                    .map(|digest| view! {
                        <dt>{words::decision::EVIDENCE_DIGEST}</dt>
                        <dd>
                            <Digest digest what=words::decision::EVIDENCE_DIGEST/>
                        </dd>
                    })}
                {signature}
                <dt>{words::receipt::LOG}</dt>
                <dd>{proof.log}</dd>
            </dl>
        </section>
        {chain}
    }
}
