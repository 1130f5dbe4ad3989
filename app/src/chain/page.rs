//! One decision chain: its steps in order, the result of its verification, and its seal.

use contract::{chain::ChainStatus, id::TenantId};
use leptos::prelude::*;

use super::{
    act::read_chain,
    list_words,
    markup::ChainBadge,
    view::{ChainPage as ChainView, Seal, Signature, StepRow},
};
use crate::{
    receipt::words as receipt_words,
    text::{time, url},
    ui::{
        badge::{ValidityBadge, VerdictBadge},
        facts::{digest_fact, fact, id_fact},
        heading::Heading,
        icon::{Icon, icon},
        list::table,
        load::load,
        panel::Crumb,
        params,
        time::{Exact, Second},
    },
};

/// `/t/{tenant}/chains/{chain}`
#[component]
pub(crate) fn ChainPage() -> impl IntoView {
    let (tenant, chain) = (params::tenant(), params::chain());
    load(
        move || (tenant(), chain()),
        async |(tenant, chain)| read_chain(tenant?, chain?).await,
        |page| view! { <ChainContent page /> }.into_any(),
    )
}

#[component]
fn ChainContent(page: ChainView) -> impl IntoView {
    use super::words as strings;
    let (tenant, id, status) = (page.tenant, page.id, page.status);
    let file = format!("chain-{id}.tar");
    let seal = page.seal.clone();
    let seal = seal.map(|seal| view! { <SealCard seal /> }.into_any()).or_else(|| {
        (status == ChainStatus::Sealed).then(|| {
            view! { <p class="note warn">{icon(Icon::Warn)} {strings::NO_SEAL}</p> }.into_any()
        })
    });
    view! {
        <Crumb href=url::chains(tenant) label=list_words::TITLE />
        <div class="page-head">
            <Heading title=strings::TITLE />
            <ChainBadge status />
            <span class="grow"></span>
            <a class="button" href=url::chain(tenant, id) rel="external">
                {strings::CHECK_AGAIN}
            </a>
            <a class="button" href=url::decisions_of(tenant, id)>
                {strings::AS_LIST}
            </a>
            <a class="button primary" href=url::chain_archive(id) rel="external" download=file>
                {strings::DOWNLOAD}
            </a>
        </div>
        <p class="intro">{strings::INTRO}</p>
        <div class="stack">
            <VerificationSummary page=page.clone() />
            <dl class="card facts">{id_fact(strings::ID, id.to_string())}</dl>
            <Steps tenant steps=page.steps rows=page.rows />
            {seal}
            <p>
                <a href=url::VERIFY>{strings::CHECK}</a>
            </p>
        </div>
    }
}

/// The result of verifying links and step numbers, and whether the chain is open.
#[component]
fn VerificationSummary(page: ChainView) -> impl IntoView {
    use super::words as strings;
    let status_note = view! { <p>{strings::status_sentence(page.status)}</p> };
    if page.problems.is_empty() {
        // In an invalid chain it is unknown whether a missing step ever existed.
        let missing = (!page.missing.is_empty())
            .then(|| view! { <p>{strings::unused_steps(&page.missing)}</p> });
        return view! {
            <div class="note allow" role="status">
                {icon(Icon::Allow)}
                <div>
                    <p class="font-semibold">{strings::all_valid(page.steps)}</p>
                    {status_note}
                    {missing}
                </div>
            </div>
        }
        .into_any();
    }
    let first = page.first_bad.map(|step| {
        // Only a step that is on the page can be a link target.
        let is_shown = page.rows.iter().any(|row| row.step == step);
        let href = is_shown.then(|| format!("#step-{step}"));
        view! {
            <p>
                {strings::FIRST_INVALID} " " <a href=href rel="external">
                    {step}
                </a> "."
            </p>
        }
    });
    let problem = |code: String| {
        view! { <li>{strings::problem(&code)} " " <span class="text-xs text-muted">{code}</span></li> }
    };
    // A signature by an unknown key is not evidence of tampering.
    let (class, drawing, message) = if page.is_undecided {
        ("note warn", Icon::Warn, strings::PARTLY_CHECKED)
    } else {
        ("note deny", Icon::Deny, strings::VERIFICATION_FAILED)
    };
    view! {
        <div class=class role="alert">
            {icon(drawing)}
            <div>
                <p class="font-semibold">{message}</p>
                {first}
                <ul class="plain-list">{page.problems.into_iter().map(problem).collect_view()}</ul>
                {status_note}
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn Steps(tenant: TenantId, steps: u32, rows: Vec<StepRow>) -> impl IntoView {
    use super::words as strings;
    let more = (rows.len() < steps as usize)
        .then(|| view! { <p class="text-muted">{strings::first_steps(rows.len(), steps)}</p> });
    view! {
        {table(strings::STEPS, strings::HEAD, rows, move |row| view! { <Step tenant row /> })}
        {more}
    }
}

#[component]
fn Step(tenant: TenantId, row: StepRow) -> impl IntoView {
    use super::words as strings;
    const LABELS: [&str; 2] = [strings::SIGNATURE_VALID, strings::SIGNATURE_INVALID];
    let verdict = match row.verdict {
        Some(verdict) => view! { <VerdictBadge verdict /> }.into_any(),
        None => view! { <span class="text-muted">{strings::DECISION_MISSING}</span> }.into_any(),
    };
    let plain = |text| view! { <span class="text-muted">{text}</span> }.into_any();
    let signature = match row.signature {
        Signature::Good => view! { <ValidityBadge is_valid=true words=LABELS /> }.into_any(),
        Signature::Wrong => view! { <ValidityBadge is_valid=false words=LABELS /> }.into_any(),
        Signature::Unchecked => plain(strings::UNKNOWN_KEY),
        Signature::None => plain(strings::UNSIGNED),
    };
    let log = if row.is_logged { strings::ANCHORED } else { strings::NOT_ANCHORED };
    view! {
        <tr id=format!("step-{}", row.step) data-row="" tabindex="-1">
            <th scope="row" data-label=strings::HEAD[0]>
                <a href=url::decision(tenant, row.decision)>{strings::step(row.step)}</a>
            </th>
            <td data-label=strings::HEAD[1]>{verdict}</td>
            <td data-label=time::head(
                strings::HEAD[2],
            )>{row.at.map(|at| view! { <Second at /> })}</td>
            <td data-label=strings::HEAD[3]>
                {row.actor.map(|actor| view! { <bdi>{actor}</bdi> })}
            </td>
            <td data-label=strings::HEAD[4]>
                <ValidityBadge
                    is_valid=row.link_holds
                    words=[strings::LINK_VALID, strings::LINK_INVALID]
                />
            </td>
            <td data-label=strings::HEAD[5]>{signature}</td>
            <td data-label=strings::HEAD[6]>{log}</td>
        </tr>
    }
}

#[component]
fn SealCard(seal: Seal) -> impl IntoView {
    use super::words as strings;
    let digests = seal.digests.into_iter().map(|(part, digest)| digest_fact(part.label(), digest));
    let at = seal.at.map(|at| fact(strings::SEALED_AT, view! { <Exact at /> }));
    let log = if seal.is_logged { strings::ANCHORED } else { receipt_words::NOT_ANCHORED };
    view! {
        <section class="card" aria-labelledby="seal">
            <h2 id="seal">{strings::SEAL}</h2>
            <dl class="facts">
                {at} {digests.collect_view()} <dt>{strings::LOG}</dt> <dd>{log}</dd>
            </dl>
        </section>
    }
}
