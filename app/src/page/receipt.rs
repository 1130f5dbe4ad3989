//! The public receipt of a decision, for reading and for printing.

mod steps;

use leptos::prelude::*;
use leptos_meta::Meta;

use self::steps::Steps;
use super::params;
use crate::{
    api::receipt::{read_receipt, read_submission},
    text::{url, words},
    ui::{
        badge::{SeverityChip, VerdictBadge},
        code::{CodeBlock, Digest, Id},
        heading::Heading,
        load::load,
        public::PublicFrame,
        time::Exact,
    },
    view::receipt::{Code, Digest as Kind, ReceiptPage as Receipt},
};

/// `/r/{decision}`. The link is a capability, so no search engine may keep it.
#[component]
pub(crate) fn ReceiptPage() -> impl IntoView {
    let id = params::decision();
    let receipt = Resource::new(id, async |id| read_receipt(id?).await);
    view! {
        <Meta name="robots" content="noindex"/>
        <PublicFrame width="reading">
            {load(receipt, |receipt| view! { <Sheet receipt/> }.into_any())}
        </PublicFrame>
    }
}

/// `/f/{form}/receipts/{decision}`: the same, of a submission to a form, while the form is published.
#[component]
pub(crate) fn SubmissionPage() -> impl IntoView {
    let (form, id) = (params::form(), params::decision());
    let receipt =
        Resource::new(move || (form(), id()), async |(form, id)| read_submission(form?, id?).await);
    view! {
        <Meta name="robots" content="noindex"/>
        <PublicFrame width="reading">
            {load(receipt, |receipt| view! { <Sheet receipt/> }.into_any())}
        </PublicFrame>
    }
}

#[component]
fn Sheet(receipt: Receipt) -> impl IntoView {
    let (policy, version) = receipt.policy.clone();
    let counts = words::receipt::counts(receipt.counts);
    let violation = |(code, severity, reason): (String, _, String)| {
        view! {
            <li>
                <div class="rule-head">
                    <bdi class="rule-code">{code}</bdi>
                    <SeverityChip severity/>
                </div>
                <p>
                    <bdi>{reason}</bdi>
                </p>
            </li>
        }
    };
    let violations = receipt.violations.clone();
    let violations = (!violations.is_empty()).then(|| {
        view! {
            <h2>{words::receipt::VIOLATIONS}</h2>
            <ul class="rules">{violations.into_iter().map(violation).collect_view()}</ul>
        }
    });
    let redacted =
        receipt.redacted.then(|| view! { <p class="text-muted">{words::receipt::REDACTED}</p> });
    let thanks = receipt.thanks.clone().map(|thanks| {
        view! {
            <p>
                <bdi>{thanks}</bdi>
            </p>
        }
    });
    view! {
        <article class="card receipt">
            <Heading title=words::receipt::title(receipt.verdict)>{words::receipt::TITLE}</Heading>
            {thanks}
            <p class="verdict-line">
                <VerdictBadge verdict=receipt.verdict/>
                {receipt.recorded_at.map(|at| view! { <Exact at/> })}
            </p>
            <p>
                <bdi>{receipt.subject.clone()}</bdi>
                ", "
                {words::receipt::POLICY}
                " "
                <bdi>{policy}</bdi>
                " v"
                {version}
                ". "
                {counts}
            </p>
            {violations}
            {redacted}
            <Steps receipt=receipt.clone()/>
            <Proof receipt/>
        </article>
    }
}

/// Ids, digests and signature, in full.
#[component]
fn Proof(receipt: Receipt) -> impl IntoView {
    let digest = |(kind, digest): (Kind, String)| {
        let name = match kind {
            Kind::Integrity => words::decision::INTEGRITY,
            Kind::Context => words::receipt::CONTEXT_DIGEST,
            Kind::Snapshot => words::decision::SNAPSHOT_DIGEST,
            Kind::Rules => words::decision::RULES_HASH,
        };
        view! {
            <dt>{name}</dt>
            <dd>
                <Digest digest what=name/>
            </dd>
        }
    };
    let signature = match receipt.signature {
        Some((signature, kid)) => view! {
            <dt>{words::decision::SIGNATURE}</dt>
            <dd>
                <Digest digest=signature what=words::decision::SIGNATURE/>
            </dd>
            <dt>{words::decision::KEY}</dt>
            <dd>
                <Digest digest=kid what=words::decision::KEY/>
            </dd>
        }
        .into_any(),
        None => view! {
            <dt>{words::decision::SIGNATURE}</dt>
            <dd class="text-muted">{words::decision::UNSIGNED}</dd>
        }
        .into_any(),
    };
    let id = receipt.id;
    let log = if receipt.anchored { words::receipt::IN_LOG } else { words::receipt::NOT_IN_LOG };
    view! {
        <h2>{words::receipt::PROOF}</h2>
        <dl class="facts">
            <dt>{words::decision::ID}</dt>
            <dd>
                <Id id=id.to_string() what=words::decision::ID/>
            </dd>
            {receipt.digests.into_iter().map(digest).collect_view()}
            {signature}
            <dt>{words::receipt::LOG}</dt>
            <dd>{log}</dd>
        </dl>
        <details class="disclosure">
            <summary>{words::receipt::STATEMENT}</summary>
            <CodeBlock text=receipt.statement label=words::receipt::STATEMENT/>
        </details>
        <div class="keep">
            {receipt.code.map(|code| view! { <Drawn code/> })}
            <p class="text-xs text-muted">
                {words::receipt::KEEP} " "
                <a href=receipt.page>{receipt.link}</a>
            </p>
            <div class="row">
                <a class="button" href=url::verify(id)>
                    {words::receipt::CHECK}
                </a>
                <a class="button" href=url::archive(id) rel="external" download=format!("{id}.tar")>
                    {words::receipt::BUNDLE}
                </a>
                <button type="button" class="with-scripts" on:click=|_| drop(window().print())>
                    {words::receipt::PRINT}
                </button>
            </div>
        </div>
        <p class="on-paper">{words::receipt::READ_AT} " " <Exact at=receipt.read_at/></p>
    }
}

/// The link for a camera. Black on white in both themes: cameras expect it.
#[component]
fn Drawn(code: Code) -> impl IntoView {
    let whole = format!("0 0 {0} {0}", code.side);
    view! {
        <svg class="qr" viewBox=whole role="img" aria-label=words::receipt::CODE>
            <rect width="100%" height="100%" class="qr-paper"/>
            <path d=code.path></path>
        </svg>
    }
}
