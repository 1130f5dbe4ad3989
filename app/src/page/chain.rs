//! One chain of decisions: its steps in order, whether every link holds, and its seal.

use contract::{chain::ChainStatus, id::TenantId};
use leptos::prelude::*;

use super::params;
use crate::{
    api::chain::read_chain,
    text::{url, words},
    ui::{
        badge::{ChainBadge, HeldBadge, VerdictBadge},
        code::{Digest, Id},
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        time::{Exact, Second},
    },
    view::chain::{ChainPage as Shown, Seal, Signature, StepRow},
};

/// `/t/{tenant}/chains/{chain}`
#[component]
pub(crate) fn ChainPage() -> impl IntoView {
    let (tenant, chain) = (params::tenant(), params::chain());
    let page = Resource::new(
        move || (tenant(), chain()),
        async |(tenant, chain)| read_chain(tenant?, chain?).await,
    );
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: Shown) -> impl IntoView {
    use words::chain as say;
    let (tenant, id, status) = (page.tenant, page.id, page.status);
    let file = format!("chain-{id}.tar");
    let seal = page.seal.clone();
    let seal = seal.map(|seal| view! { <Sealed seal/> }.into_any()).or_else(|| {
        (status == ChainStatus::Sealed).then(|| {
            view! { <p class="note warn">{icon(Icon::Warn)} {say::NO_SEAL}</p> }.into_any()
        })
    });
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::decisions(tenant)>{words::decisions::TITLE}</a>
        </nav>
        <div class="page-head">
            <Heading title=say::TITLE/>
            <ChainBadge status/>
            <span class="grow"></span>
            <a class="button" href=url::chain(tenant, id) rel="external">
                {say::AGAIN}
            </a>
            <a class="button" href=url::decisions_of(tenant, id)>
                {say::IN_LOG}
            </a>
            <a class="button primary" href=url::chain_archive(id) rel="external" download=file>
                {say::DOWNLOAD}
            </a>
        </div>
        <p class="lead">{say::LEAD}</p>
        <div class="stack">
            <Found page=page.clone()/>
            <dl class="card facts">
                <dt>{say::ID}</dt>
                <dd>
                    <Id id=id.to_string() what=say::ID/>
                </dd>
            </dl>
            <Steps tenant steps=page.steps rows=page.rows/>
            {seal}
            <p>
                <a href=url::VERIFY>{say::CHECK}</a>
            </p>
        </div>
    }
}

/// What the check found: of every link, of the numbers of the steps, and whether more can come.
#[component]
fn Found(page: Shown) -> impl IntoView {
    use words::chain as say;
    let standing = view! { <p>{say::standing(page.status)}</p> };
    if page.problems.is_empty() {
        // Of a chain that does not hold nobody can say whether a step was ever there.
        let missing =
            (!page.missing.is_empty()).then(|| view! { <p>{say::missing(&page.missing)}</p> });
        return view! {
            <div class="note allow" role="status">
                {icon(Icon::Allow)}
                <div>
                    <p class="font-semibold">{say::holds(page.steps)}</p>
                    {standing}
                    {missing}
                </div>
            </div>
        }
        .into_any();
    }
    let first = page.first_bad.map(|step| {
        // A step that is not on the page has no place to lead to.
        let is_shown = page.rows.iter().any(|row| row.step == step);
        let href = is_shown.then(|| format!("#step-{step}"));
        view! { <p>{say::FIRST_BAD} " " <a href=href rel="external">{step}</a> "."</p> }
    });
    let problem = |code: String| {
        view! {
            <li>
                {say::problem(&code)}
                " "
                <span class="text-xs text-muted">{code}</span>
            </li>
        }
    };
    // A key that is not known shows nothing, tampering neither.
    let (class, drawing, said) = if page.is_undecided {
        ("note warn", Icon::Warn, say::UNDECIDED)
    } else {
        ("note deny", Icon::Deny, say::BROKEN)
    };
    view! {
        <div class=class role="alert">
            {icon(drawing)}
            <div>
                <p class="font-semibold">{said}</p>
                {first}
                <ul class="plain-list">{page.problems.into_iter().map(problem).collect_view()}</ul>
                {standing}
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn Steps(tenant: TenantId, steps: u32, rows: Vec<StepRow>) -> impl IntoView {
    use words::chain as say;
    let more = (rows.len() < steps as usize)
        .then(|| view! { <p class="text-muted">{say::first(rows.len(), steps)}</p> });
    let row = move |row: StepRow| view! { <Step tenant row/> };
    view! {
        <table class="list">
            <caption class="sr-only">{say::STEPS}</caption>
            <thead>
                <tr>{say::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
        {more}
    }
}

#[component]
fn Step(tenant: TenantId, row: StepRow) -> impl IntoView {
    use words::chain as say;
    const WORDS: [&str; 2] = [say::GOOD, say::WRONG];
    let verdict = match row.verdict {
        Some(verdict) => view! { <VerdictBadge verdict/> }.into_any(),
        None => view! { <span class="text-muted">{say::GONE}</span> }.into_any(),
    };
    let plain = |word| view! { <span class="text-muted">{word}</span> }.into_any();
    let signature = match row.signature {
        Signature::Good => view! { <HeldBadge holds=true words=WORDS/> }.into_any(),
        Signature::Wrong => view! { <HeldBadge holds=false words=WORDS/> }.into_any(),
        Signature::Unchecked => plain(say::UNCHECKED),
        Signature::None => plain(say::UNSIGNED),
    };
    let log = if row.is_logged { say::LOGGED } else { say::NOT_LOGGED };
    view! {
        <tr id=format!("step-{}", row.step) data-row="" tabindex="-1">
            <th scope="row" data-label=say::HEAD[0]>
                <a href=url::decision(tenant, row.decision)>{say::step(row.step)}</a>
            </th>
            <td data-label=say::HEAD[1]>{verdict}</td>
            <td data-label=say::HEAD[2]>{row.at.map(|at| view! { <Second at/> })}</td>
            <td data-label=say::HEAD[3]>
                {row.actor.map(|actor| view! { <bdi>{actor}</bdi> })}
            </td>
            <td data-label=say::HEAD[4]>
                <HeldBadge holds=row.link_holds words=[say::HOLDS, say::DOES_NOT_HOLD]/>
            </td>
            <td data-label=say::HEAD[5]>{signature}</td>
            <td data-label=say::HEAD[6]>{log}</td>
        </tr>
    }
}

/// The seal in full.
#[component]
fn Sealed(seal: Seal) -> impl IntoView {
    use words::chain as say;
    let digests = seal.digests.into_iter().map(|(part, digest)| {
        let name = say::part(part);
        view! {
            <dt>{name}</dt>
            <dd>
                <Digest digest what=name/>
            </dd>
        }
    });
    let at = seal.at.map(|at| {
        view! {
            <dt>{say::SEALED_AT}</dt>
            <dd>
                <Exact at/>
            </dd>
        }
    });
    let log = if seal.is_logged { say::LOGGED } else { words::receipt::NOT_IN_LOG };
    view! {
        <section class="card" aria-labelledby="seal">
            <h2 id="seal">{say::SEAL}</h2>
            <dl class="facts">
                {at}
                {digests.collect_view()}
                <dt>{say::LOG}</dt>
                <dd>{log}</dd>
            </dl>
        </section>
    }
}
