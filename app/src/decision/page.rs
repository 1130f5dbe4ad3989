//! The page of a decision.

pub(crate) mod after;
pub(crate) mod facts;
mod gate;
mod history;
pub(crate) mod why;

use contract::evaluation::Verdict;
use leptos::prelude::*;

use self::{
    after::{Outcome, Replay},
    facts::{Evidence, Facts, Inputs},
    history::History,
    why::Why,
};
use super::{
    act::read_decision, list_words, rules::VerdictWithoutShadow, view::DecisionPage as Decision,
    words as strings,
};
use crate::{
    outcome::words as outcome_words,
    receipt::words as receipt_words,
    text::url,
    ui::{
        code::ShortDigest,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        panel::Crumb,
        params,
        stamp::digest_seal,
        time::Exact,
    },
};

/// `/t/{tenant}/decisions/{decision}`
#[component]
pub(crate) fn DecisionPage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::decision());
    let replay = params::query("replay");
    load(
        move || (tenant(), id(), replay() == "now"),
        async |(tenant, id, replay)| read_decision(tenant?, id?, replay).await,
        |decision| view! { <DecisionContent decision /> }.into_any(),
    )
}

#[component]
fn DecisionContent(decision: Decision) -> impl IntoView {
    let path = url::decision(decision.tenant, decision.id);
    let original = decision.original.map(|verdict| view! { <VerdictWithoutShadow verdict /> });
    let outcome_page = (decision.can_record_outcome && decision.outcome.is_none())
        .then(|| url::outcome(decision.tenant, decision.id));
    let outcome = match decision.outcome.clone() {
        Some(outcome) => view! { <Outcome outcome /> }.into_any(),
        None => view! { <NoOutcome href=outcome_page /> }.into_any(),
    };
    let evaluated_at = decision.evaluated_at;
    let replay =
        decision.replayed.clone().map(|replayed| view! { <Replay replayed evaluated_at /> });
    view! {
        <Crumb href=url::decisions(decision.tenant) label=list_words::TITLE />
        <Head decision=decision.clone() path=path.clone() />
        {original}
        {replay}
        <div class="why-grid">
            <div class="stack">
                <Why
                    path=path.clone()
                    counts=decision.counts
                    policies=decision.policies.clone()
                    tenant=decision.tenant
                    verdict=(decision.policy, decision.verdict)
                />
            </div>
            <div class="stack">
                <Inputs decision=decision.clone() path />
                <Evidence items=decision.evidence.clone() />
                {outcome}
                <History decision=decision.clone() />
                <Facts decision />
            </div>
        </div>
    }
}

/// The verdict with its reason, the actions, and the steps of the proof.
#[component]
fn Head(decision: Decision, path: String) -> impl IntoView {
    let (tone, drawing) = match decision.verdict {
        Verdict::Allow => ("allow", Icon::Allow),
        Verdict::Alert => ("alert", Icon::Alert),
        Verdict::Review => ("review", Icon::Review),
        Verdict::Deny => ("deny", Icon::Deny),
    };
    let title = strings::title(decision.verdict, &decision.decision_type);
    let mut explanation = decision.why.clone().into_iter();
    let (first, rest) = (explanation.next(), explanation.collect::<Vec<_>>().join(" "));
    let decision_type = decision.decision_type.clone();
    let actor = decision.actor.clone().map(|actor| view! { <bdi>{actor}</bdi> });
    view! {
        <section class=format!("verdict-head {tone}")>
            <div class="verdict-main">
                <span class="verdict-icon">{icon(drawing)}</span>
                <div class="verdict-text">
                    <Heading title>
                        <span class="verdict-word">{decision.verdict.as_str()}</span>
                        " "
                        <bdi class="verdict-type">{decision_type}</bdi>
                    </Heading>
                    <p class="verdict-why">
                        <strong>{first}</strong>
                        " "
                        {rest}
                    </p>
                    <div class="verdict-meta">
                        <Exact at=decision.recorded_at />
                        {actor}
                        <ShortDigest digest=decision.id.to_string() what=strings::ID />
                    </div>
                </div>
                <Actions decision=decision.clone() path />
            </div>
            <Proof decision />
        </section>
    }
}

#[component]
fn Actions(decision: Decision, path: String) -> impl IntoView {
    let id = decision.id;
    let try_link = decision.may_try.then(|| {
        view! {
            <li>
                <a href=url::try_again(decision.tenant, id)>{strings::TRY_AGAIN}</a>
            </li>
        }
    });
    view! {
        <div class="row">
            <a class="button" href=url::with_query(&path, &[("replay", "now")])>
                {strings::REPLAY}
            </a>
            <a class="button" href=url::receipt(id)>
                {strings::RECEIPT}
            </a>
            <a class="button primary" href=url::verify(id)>
                {receipt_words::CHECK}
            </a>
            <details class="filter-menu">
                <summary class="button">{strings::MORE} {icon(Icon::Down)}</summary>
                <ul class="filter-panel plain-list">
                    <li>
                        <a href=url::bundle(decision.tenant, id)>{strings::BUNDLE}</a>
                    </li>
                    {try_link}
                </ul>
            </details>
        </div>
    }
}

/// The steps of the proof. A step that is pending or absent is dashed.
#[component]
fn Proof(decision: Decision) -> impl IntoView {
    let proof = decision.proof;
    let seal = digest_seal(&proof.integrity_hash);
    let digest =
        |digest: String, what: &'static str| view! { <ShortDigest digest what /> }.into_any();
    let policies = decision.policies.len();
    let evaluated = view! {
        <p>
            <Exact at=decision.evaluated_at />
            ", "
            {strings::duration(&decision.took)}
        </p>
        <p>{strings::evaluated_rules(decision.counts.all(), policies)}</p>
        {digest(proof.rules_hash, strings::RULES_HASH)}
    };
    let recorded = view! {
        <p>
            <Exact at=decision.recorded_at />
        </p>
        {digest(proof.integrity_hash, strings::INTEGRITY)}
    };
    let signed = match proof.signature {
        Some(signature) => (true, digest(signature.signature_kid, strings::KEY)),
        None => (false, view! { <p>{strings::UNSIGNED}</p> }.into_any()),
    };
    let anchored = view! { <p>{proof.log}</p> }.into_any();
    let chained = match decision.chain.split_first() {
        Some(((_, _, href), rows)) => {
            let step = rows.first().map(|(_, number, _)| strings::step(number));
            let href = href.clone();
            let link = view! {
                <p>{step}</p>
                <p>
                    <a href=href>{strings::OPEN_CHAIN}</a>
                </p>
            };
            (true, link.into_any())
        }
        None => (false, view! { <p>{strings::NOT_CHAINED}</p> }.into_any()),
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
    view! {
        <div class="proof-row">
            <h2 class="sr-only">{strings::PROOF}</h2>
            {seal}
            <ol class="proof-steps">
                {step(Icon::Scale, strings::EVALUATED, (true, evaluated.into_any()))}
                {step(Icon::File, strings::RECORDED, (true, recorded.into_any()))}
                {step(Icon::Sign, strings::SIGNED, signed)}
                {step(Icon::Log, strings::ANCHORED, (proof.is_anchored, anchored))}
                {step(Icon::Chain, strings::CHAINED, chained)}
            </ol>
        </div>
    }
}

/// The note that the decision has no outcome, with the link to record one.
#[component]
fn NoOutcome(href: Option<String>) -> impl IntoView {
    let link = href.map(|href| {
        view! {
            <p>
                <a class="button" href=href>
                    {outcome_words::OPEN}
                </a>
            </p>
        }
    });
    view! {
        <section class="card">
            <h2>{outcome_words::OUTCOME}</h2>
            <p class="text-muted">{strings::NO_OUTCOME}</p>
            {link}
        </section>
    }
}
