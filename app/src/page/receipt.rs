//! The public receipt of a decision, for reading and for printing.

mod steps;

use leptos::prelude::*;
use leptos_meta::Meta;

use self::steps::Steps;
use crate::{
    api::receipt::{read_receipt, read_submission},
    text::{messages, url},
    ui::{
        badge::{SeverityChip, VerdictBadge},
        code::CodeBlock,
        facts::{digest_fact, fact, id_fact},
        heading::Heading,
        load::load,
        params,
        public::PublicFrame,
        time::Exact,
    },
    view::receipt::{Code, Digest as Kind, ReceiptPage as Receipt},
};

/// `/r/{decision}`. The link is a capability, so search engines must not index it.
#[component]
pub(crate) fn ReceiptPage() -> impl IntoView {
    let id = params::decision();
    let content = load(
        id,
        async |id| read_receipt(id?).await,
        |receipt| view! { <ReceiptContent receipt /> }.into_any(),
    );
    view! {
        <Meta name="robots" content="noindex" />
        <PublicFrame width="reading">{content}</PublicFrame>
    }
}

/// `/f/{form}/receipts/{decision}`: the receipt of a form submission, available while the form is published.
#[component]
pub(crate) fn SubmissionPage() -> impl IntoView {
    let (form, id) = (params::form(), params::decision());
    let content = load(
        move || (form(), id()),
        async |(form, id)| read_submission(form?, id?).await,
        |receipt| view! { <ReceiptContent receipt /> }.into_any(),
    );
    view! {
        <Meta name="robots" content="noindex" />
        <PublicFrame width="reading">{content}</PublicFrame>
    }
}

#[component]
fn ReceiptContent(receipt: Receipt) -> impl IntoView {
    let (policy, version) = receipt.policy.clone();
    let counts = messages::receipt::counts(receipt.counts);
    let violation = |(code, severity, reason): (String, _, String)| {
        view! {
            <li>
                <div class="rule-head">
                    <bdi class="rule-code">{code}</bdi>
                    <SeverityChip severity />
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
            <h2>{messages::receipt::VIOLATIONS}</h2>
            <ul class="rules">{violations.into_iter().map(violation).collect_view()}</ul>
        }
    });
    let redacted =
        receipt.redacted.then(|| view! { <p class="text-muted">{messages::receipt::REDACTED}</p> });
    let thanks = receipt.thanks.clone().map(|thanks| {
        view! {
            <p>
                <bdi>{thanks}</bdi>
            </p>
        }
    });
    view! {
        <article class="card receipt">
            <Heading title=messages::receipt::title(
                receipt.verdict,
            )>{messages::receipt::TITLE}</Heading>
            {thanks}
            <p class="verdict-line">
                <VerdictBadge verdict=receipt.verdict />
                {receipt.recorded_at.map(|at| view! { <Exact at /> })}
            </p>
            <p>
                <bdi>{receipt.subject.clone()}</bdi>
                ", "
                {messages::receipt::POLICY}
                " "
                <bdi>{policy}</bdi>
                " v"
                {version}
                ". "
                {counts}
            </p>
            {violations}
            {redacted}
            <Steps receipt=receipt.clone() />
            <Proof receipt />
        </article>
    }
}

#[component]
fn Proof(receipt: Receipt) -> impl IntoView {
    let digest = |(kind, digest): (Kind, String)| {
        let name = match kind {
            Kind::Integrity => messages::decision::INTEGRITY,
            Kind::Context => messages::receipt::CONTEXT_DIGEST,
            Kind::Snapshot => messages::decision::SNAPSHOT_DIGEST,
            Kind::Rules => messages::decision::RULES_HASH,
        };
        digest_fact(name, digest)
    };
    let signature = match receipt.signature {
        Some((signature, kid)) => view! {
            {digest_fact(messages::decision::SIGNATURE, signature)}
            {digest_fact(messages::decision::KEY, kid)}
        }
        .into_any(),
        None => view! {
            <dt>{messages::decision::SIGNATURE}</dt>
            <dd class="text-muted">{messages::decision::UNSIGNED}</dd>
        }
        .into_any(),
    };
    let id = receipt.id;
    let log = if receipt.anchored {
        messages::receipt::ANCHORED
    } else {
        messages::receipt::NOT_ANCHORED
    };
    view! {
        <h2>{messages::receipt::PROOF}</h2>
        <dl class="facts">
            {id_fact(messages::decision::ID, id.to_string())}
            {receipt.digests.into_iter().map(digest).collect_view()} {signature}
            {fact(messages::receipt::LOG, log)}
        </dl>
        <details class="disclosure">
            <summary>{messages::receipt::STATEMENT}</summary>
            <CodeBlock text=receipt.statement label=messages::receipt::STATEMENT />
        </details>
        <div class="keep">
            {receipt.code.map(|code| view! { <QrCode code /> })}
            <p class="text-xs text-muted">
                {messages::receipt::SAVE_LINK} " " <a href=receipt.page>{receipt.link}</a>
            </p> <div class="row">
                <a class="button" href=url::verify(id)>
                    {messages::receipt::CHECK}
                </a>
                <a class="button" href=url::archive(id) rel="external" download=format!("{id}.tar")>
                    {messages::receipt::BUNDLE}
                </a>
                <button type="button" class="with-scripts" on:click=|_| drop(window().print())>
                    {messages::receipt::PRINT}
                </button>
            </div>
        </div>
        <p class="print-only">{messages::receipt::RETRIEVED} " " <Exact at=receipt.read_at /></p>
    }
}

/// The link as a QR code, black on white in both themes, as cameras expect it.
#[component]
fn QrCode(code: Code) -> impl IntoView {
    let view_box = format!("0 0 {0} {0}", code.side);
    view! {
        <svg class="qr" viewBox=view_box role="img" aria-label=messages::receipt::CODE>
            <rect width="100%" height="100%" class="qr-paper" />
            <path d=code.path></path>
        </svg>
    }
}
