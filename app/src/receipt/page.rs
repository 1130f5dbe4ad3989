//! The public receipt of a decision, for reading and for printing.

mod steps;

use contract::{evaluation::Verdict, id::DecisionId, rule::Severity};
use leptos::prelude::*;
use leptos_meta::Meta;

use self::steps::Steps;
use super::{
    act::read_receipt,
    public_words,
    view::{Digest as Kind, ReceiptPage as Receipt},
    words,
};
use crate::{
    decision::words as decision_words,
    provenance::words as provenance_words,
    text::{messages, time, url},
    ui::{
        badge::SeverityChip,
        brand::Logo,
        code::CodeBlock,
        facts::{digest_fact, fact, id_fact},
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        note::{Tone, note},
        params,
        public::PublicFrame,
        qr_code::qr_code,
        stamp::{notch_rule, stamp},
        time::Exact,
    },
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

#[component]
fn ReceiptContent(receipt: Receipt) -> impl IntoView {
    let host = receipt.link.split_once("://").and_then(|(_, rest)| rest.split('/').next());
    let host = host.map(str::to_owned);
    view! {
        <Actions id=receipt.id />
        <article class="card sheet">
            <Letterhead host />
            {notch_rule(receipt.seal_digest())}
            <VerdictLine receipt=receipt.clone() />
            <States
                is_signed=receipt.signature.is_some()
                is_anchored=receipt.anchor.is_some()
                is_redacted=receipt.redacted
            />
            <Why violations=receipt.violations.clone() />
            <Steps receipt=receipt.clone() />
            <Proof receipt=receipt.clone() />
            <Stub receipt />
        </article>
    }
}

#[component]
fn Actions(id: DecisionId) -> impl IntoView {
    use super::public_words as strings;
    view! {
        <div class="row end sheet-actions">
            <a class="button" href=url::verify(id)>
                {words::CHECK}
            </a>
            <a class="button" href=url::archive(id) rel="external" download=format!("{id}.tar")>
                {strings::BUNDLE}
            </a>
            <button type="button" class="primary with-scripts" data-print="">
                {strings::PRINT}
            </button>
        </div>
    }
}

/// The product, and the service that issued the receipt.
#[component]
fn Letterhead(host: Option<String>) -> impl IntoView {
    use super::public_words as strings;
    let issuer = host.map(|host| {
        view! {
            <p class="issued">
                <span class="text-muted">{strings::ISSUED_BY}</span>
                <bdi>{host}</bdi>
            </p>
        }
    });
    view! {
        <header class="letterhead">
            <div>
                <p class="brand">
                    <Logo />
                    {messages::PRODUCT}
                </p>
                <p class="text-muted">{strings::DOCUMENT}</p>
            </div>
            {issuer}
        </header>
    }
}

/// The verdict, one sentence, and the stamp.
#[component]
fn VerdictLine(receipt: Receipt) -> impl IntoView {
    use super::public_words as strings;
    let at = receipt.recorded_at.unwrap_or(receipt.decided_at);
    let is_signed = receipt.signature.is_some();
    let date = time::minute(at).to_uppercase();
    let is_anchored = receipt.anchor.is_some();
    let (done, label) =
        (strings::stamp(is_signed, is_anchored), strings::stamp_label(is_signed, is_anchored));
    let stamp = stamp(receipt.seal_digest(), &done, label, &date);
    let (tone, drawing) = match receipt.verdict {
        Verdict::Allow => ("allow", Icon::Allow),
        Verdict::Alert => ("alert", Icon::Alert),
        Verdict::Review => ("review", Icon::Review),
        Verdict::Deny => ("deny", Icon::Deny),
    };
    let (policy, version) = receipt.policy;
    view! {
        <div class=format!("sheet-verdict {tone}")>
            <span class="sheet-icon">{icon(drawing)}</span>
            <div class="grow">
                <Heading title=strings::title(receipt.verdict)>{receipt.verdict.as_str()}</Heading>
                <p>
                    <bdi>{receipt.subject}</bdi>
                    {strings::sentence(receipt.verdict, receipt.counts)}
                </p>
                <p class="text-muted">
                    <Exact at />
                    ". "
                    {strings::POLICY}
                    " "
                    <bdi>{policy}</bdi>
                    " v"
                    {version}
                    ". "
                    {strings::counts(receipt.counts)}
                </p>
            </div>
            {stamp}
        </div>
    }
}

/// What a reader must know about this receipt: it is redacted, unsigned, or not anchored yet.
#[component]
fn States(is_signed: bool, is_anchored: bool, is_redacted: bool) -> impl IntoView {
    use super::public_words as strings;
    let states = [
        (!is_signed).then(|| note(Tone::Warn, None, strings::UNSIGNED)),
        (is_signed && !is_anchored).then(|| note(Tone::Info, None, strings::ANCHOR_PENDING)),
        is_redacted.then(|| note(Tone::Info, None, strings::REDACTED)),
    ];
    states.into_iter().flatten().collect_view()
}

#[component]
fn Why(violations: Vec<(String, Severity, String)>) -> impl IntoView {
    use super::public_words as strings;
    let violation = |(code, severity, reason): (String, _, String)| {
        view! {
            <li>
                <span class="finding-icon">{icon(Icon::Cross)}</span>
                <div class="grow">
                    <p>
                        <bdi>{reason}</bdi>
                    </p>
                    <bdi class="rule-code">{code}</bdi>
                </div>
                <SeverityChip severity />
            </li>
        }
    };
    let content = if violations.is_empty() {
        view! { <p class="text-muted">{strings::NO_VIOLATIONS}</p> }.into_any()
    } else {
        view! { <ul class="findings">{violations.into_iter().map(violation).collect_view()}</ul> }
            .into_any()
    };
    view! {
        <section aria-labelledby="why">
            <h2 id="why">{strings::WHY}</h2>
            {content}
        </section>
    }
}

/// Digests, signature, chain step and anchor. Folded on the screen, and always printed.
#[component]
fn Proof(receipt: Receipt) -> impl IntoView {
    use super::public_words as strings;
    let digest = |(kind, digest): (Kind, String)| {
        let name = match kind {
            Kind::Integrity => decision_words::INTEGRITY,
            Kind::Context => strings::CONTEXT_DIGEST,
            Kind::Snapshot => decision_words::SNAPSHOT_DIGEST,
            Kind::Rules => decision_words::RULES_HASH,
        };
        digest_fact(name, digest)
    };
    let signature = match receipt.signature {
        Some((signature, kid)) => view! {
            {digest_fact(decision_words::SIGNATURE, signature)}
            {digest_fact(decision_words::KEY, kid)}
        }
        .into_any(),
        None => fact(
            decision_words::SIGNATURE,
            view! { <span class="text-muted">{decision_words::UNSIGNED}</span> },
        )
        .into_any(),
    };
    let chain = receipt.chain.map(|(id, step, hash)| {
        view! {
            {id_fact(strings::CHAIN, id)}
            {fact(decision_words::STEP, step)}
            {digest_fact(strings::LINK_HASH, hash)}
        }
    });
    let approvals = receipt.ratified.into_iter();
    let approvals =
        approvals.map(|approval| digest_fact(provenance_words::APPROVAL, approval.digest));
    let anchor = match receipt.anchor {
        Some((index, size)) => {
            let entry = receipt.receipt_digest.as_deref().map(url::log_entry);
            let entry = entry.map(|href| {
                view! {
                    ". "
                    <a href=href>{strings::IN_LOG}</a>
                }
            });
            view! {
                {strings::anchored(&index, size.as_deref())}
                {entry}
            }
            .into_any()
        }
        None => view! { <span class="text-muted">{words::NOT_ANCHORED}</span> }.into_any(),
    };
    view! {
        <details class="disclosure proof">
            <summary>
                <h2>{strings::PROOF}</h2>
            </summary>
            <dl class="facts">
                {id_fact(decision_words::ID, receipt.id.to_string())}
                {receipt.receipt_digest.map(|digest| digest_fact(strings::RECEIPT_DIGEST, digest))}
                {receipt.digests.into_iter().map(digest).collect_view()} {signature} {chain}
                {approvals.collect_view()} {fact(words::LOG, anchor)}
            </dl>
            <h3>{strings::STATEMENT}</h3>
            <CodeBlock text=receipt.statement label=strings::STATEMENT />
        </details>
    }
}

/// The link of the receipt, to save or to scan.
#[component]
fn Stub(receipt: Receipt) -> impl IntoView {
    use super::public_words as strings;
    view! {
        <footer class="stub">
            {receipt.code.map(|code| qr_code(code, public_words::CODE))} <div class="grow">
                <p class="font-semibold">{strings::SAVE_LINK}</p>
                <p class="breaks">
                    <a href=receipt.page>{receipt.link}</a>
                </p>
                <p class="text-muted">{strings::LINK_NOTE}</p>
            </div>
        </footer>
        <p class="print-only">{strings::RETRIEVED} " " <Exact at=receipt.read_at /></p>
    }
}
