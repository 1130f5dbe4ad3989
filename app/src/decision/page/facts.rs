//! The inputs of a decision, its evidence and its proof.

use leptos::prelude::*;

use crate::{
    decision::{
        view::{DecisionPage as Decision, EvidenceItem, InputField},
        words,
    },
    receipt::words as receipt_words,
    text::{messages, url},
    ui::{
        code::{CodeBlock, ShortDigest},
        facts::{digest_fact, fact, id_fact},
        params,
        time::Exact,
    },
};

/// The fields of the context, the context as JSON or the record as JSON, as the tab in the address selects.
#[component]
pub(crate) fn Inputs(decision: Decision, path: String) -> impl IntoView {
    let selected = params::query("look")();
    let shown = selected.clone();
    let tab = move |(name, label): (&'static str, &'static str)| {
        let href = url::with_query(&path, &[("look", name)]);
        let current = (shown == name).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {label}
            </a>
        }
    };
    let tabs = [("", words::FIELDS), ("context", words::CONTEXT), ("raw", words::RAW)];
    let block = |text: String, label: &'static str| {
        view! {
            <div class="pad">
                <CodeBlock text label />
            </div>
        }
        .into_any()
    };
    let content = match &*selected {
        "context" => block(decision.context, words::CONTEXT),
        "raw" => block(decision.raw, words::RAW),
        _ => view! { <Fields fields=decision.fields /> }.into_any(),
    };
    view! {
        <section class="card flush">
            <div class="card-head pad">
                <h2>{words::INPUTS}</h2>
                <nav class="segmented" aria-label=words::INPUTS>
                    {tabs.map(tab)}
                </nav>
            </div>
            {content}
        </section>
    }
}

#[component]
fn Fields(fields: Vec<InputField>) -> impl IntoView {
    if fields.is_empty() {
        return view! { <p class="text-muted pad">{words::NO_FIELDS}</p> }.into_any();
    }
    let (violated, other): (Vec<_>, Vec<_>) =
        fields.into_iter().partition(|field| field.is_violated);
    let has_groups = !violated.is_empty();
    let group = |title: &'static str, rows: Vec<InputField>| {
        let head = has_groups.then(|| {
            view! {
                <tr class="group">
                    <th colspan="2" scope="rowgroup">
                        {title}
                    </th>
                </tr>
            }
        });
        (!rows.is_empty()).then(|| {
            view! { <tbody>{head} {rows.into_iter().map(field_row).collect_view()}</tbody> }
        })
    };
    view! {
        <table class="inputs">
            <caption class="sr-only">{words::INPUTS}</caption>
            {group(words::IN_VIOLATED, violated)}
            {group(words::OTHER_FIELDS, other)}
        </table>
    }
    .into_any()
}

fn field_row(field: InputField) -> impl IntoView {
    let expected = field.expected.map(|expected| {
        view! { <span class="want">{words::EXPECTED_VALUE} " " <bdi>{expected}</bdi></span> }
    });
    view! {
        <tr class=field.is_violated.then_some("hit")>
            <th scope="row">
                <code dir="auto">{field.path}</code>
            </th>
            <td>
                <code dir="auto">{field.value}</code>
                {expected}
            </td>
        </tr>
    }
}

/// The evidence of the context: kind, reference and hash of each item, and the item as JSON.
#[component]
pub(crate) fn Evidence(items: Vec<EvidenceItem>) -> impl IntoView {
    let list = if items.is_empty() {
        view! { <p class="text-muted">{words::NO_EVIDENCE}</p> }.into_any()
    } else {
        items.into_iter().map(evidence_item).collect_view().into_any()
    };
    view! {
        <section class="card stack">
            <h2>{words::EVIDENCE}</h2>
            {list}
        </section>
    }
}

fn evidence_item(item: EvidenceItem) -> impl IntoView {
    let reference = item.reference.map(|reference| view! { <bdi class="breaks">{reference}</bdi> });
    let hash = item.hash.map(|digest| view! { <ShortDigest digest what=words::HASH /> });
    view! {
        <details class="disclosure">
            <summary>
                <bdi>{item.kind}</bdi>
            </summary>
            <CodeBlock text=item.text label=words::EVIDENCE />
        </details>
        <p class="row">{reference} {hash}</p>
    }
}

/// Renders the entries of a description list that have a value.
pub(crate) fn pairs<const N: usize>(pairs: [(&'static str, Option<String>); N]) -> AnyView {
    let known = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let pair = |(name, value)| fact(name, view! { <bdi>{value}</bdi> });
    known.map(pair).collect_view().into_any()
}

#[component]
pub(crate) fn Facts(decision: Decision) -> impl IntoView {
    let proof = decision.proof;
    let digests = [
        (words::INTEGRITY, Some(proof.integrity_hash)),
        (words::EVIDENCE_DIGEST, proof.evidence_digest),
        (words::SNAPSHOT_DIGEST, Some(proof.snapshot_digest)),
        (words::RULES_HASH, Some(proof.rules_hash)),
        (words::SIGNATURE, proof.signature.as_ref().map(|signature| signature.signature.clone())),
        (words::KEY, proof.signature.as_ref().map(|signature| signature.signature_kid.clone())),
    ];
    let digests = digests.into_iter().filter_map(|(name, digest)| Some((name, digest?)));
    let digests: Vec<_> = digests.filter(|(_, digest)| !digest.is_empty()).collect();
    let short = digests
        .clone()
        .into_iter()
        .map(|(what, digest)| fact(what, view! { <ShortDigest digest what /> }))
        .collect_view();
    let full = digests.into_iter().map(|(what, digest)| digest_fact(what, digest)).collect_view();
    let signature = match proof.signature {
        Some(_) => ().into_any(),
        None => view! {
            <dt>{words::SIGNATURE}</dt>
            <dd class="text-muted">{words::UNSIGNED}</dd>
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
                <h2>{words::CHAIN}</h2>
                <dl>{decision.chain.into_iter().map(chain_entry).collect_view()}</dl>
            </section>
        }
    });
    let details = [
        (words::ACTOR, decision.actor),
        (words::RECORDED_WITH, decision.key_name),
        (words::INHERITED, decision.inherited_from),
        (words::NARROWED, decision.narrowed_to),
    ];
    view! {
        <section class="card">
            <h2>{words::ABOUT}</h2>
            <dl>
                {id_fact(words::ID, decision.id.to_string())} {pairs(details)}
                <dt>{words::EVALUATED_AT}</dt> <dd>
                    <Exact at=decision.evaluated_at />
                    ", "
                    {words::duration(&decision.took)}
                </dd> {id_fact(messages::CORRELATION_ID, proof.correlation_id)}
                {id_fact(words::IDEMPOTENCY, proof.idempotency_key)}
            </dl>
        </section>
        <section class="card">
            <h2>{words::RECEIPT}</h2>
            <dl>
                {short} {signature} {id_fact(words::SNAPSHOT_ID, proof.snapshot_id)}
                {fact(receipt_words::LOG, proof.log)}
            </dl>
            <details class="disclosure">
                <summary>{words::FULL_VALUES}</summary>
                <dl>{full}</dl>
            </details>
        </section>
        {chain}
    }
}
