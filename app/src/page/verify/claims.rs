//! The ten claims: what is checked, and what each came to.

use contract::verification::CLAIMS;
use leptos::prelude::*;

use crate::{
    text::words,
    ui::{
        icon::{Icon, icon},
        quoted::quoted,
    },
    view::verify::{Claim, Overall, Status},
};

/// What is checked, claim by claim, as the verifier names and orders them.
#[component]
pub(super) fn ClaimList() -> impl IntoView {
    let line = |(name, meaning): (&'static str, &'static str)| {
        view! {
            <dt>{words::verify::claim(name)}</dt>
            <dd>{meaning}</dd>
        }
    };
    view! {
        <section class="card given" aria-labelledby="claims-head">
            <h2 id="claims-head">{words::verify::CLAIMS}</h2>
            <p class="text-muted">{words::verify::CLAIMS_SAY}</p>
            <dl class="facts">{CLAIMS.into_iter().map(line).collect_view()}</dl>
        </section>
    }
}

/// What one claim came to.
#[component]
pub(super) fn ClaimLine(claim: Claim) -> impl IntoView {
    let said = words::verify::said(&claim);
    let title = words::verify::claim(&claim.name);
    let Claim { name, status, code, notes, checked, not_checked, .. } = claim;
    let (tone, drawing) = match status {
        Status::Verified => ("allow", Icon::Allow),
        Status::Failed => ("deny", Icon::Deny),
        Status::NotApplicable => ("na", Icon::Dash),
        Status::Indeterminate => ("warn", Icon::Help),
    };
    let note = |note: String| {
        view! {
            <p>
                {words::verify::note(&note)} " " <code class="rule-code">{note}</code>
            </p>
        }
    };
    let looked = |title: &'static str, what: &[String]| {
        (!what.is_empty()).then(|| {
            view! { <p class="text-xs text-muted">{title} " " {words::verify::listed(what)} "."</p> }
        })
    };
    view! {
        <li data-claim=name>
            <p>
                <span class=format!("badge {tone}")>
                    {icon(drawing)} {words::verify::status(status)}
                </span>
            </p>
            <div>
                <p class="row">
                    <strong>{title}</strong>
                    {code.map(|code| view! { <code class="rule-code">{code}</code> })}
                </p>
                <p>
                    <bdi>{quoted(&said)}</bdi>
                </p>
                {notes.into_iter().map(note).collect_view()}
                {looked(words::verify::LOOKED_AT, &checked)}
                {looked(words::verify::NOT_LOOKED_AT, &not_checked)}
            </div>
        </li>
    }
}

/// What all claims come to.
#[component]
pub(super) fn OverallBadge(overall: Overall) -> impl IntoView {
    let (tone, drawing) = match overall {
        Overall::Verified => ("allow", Icon::Allow),
        Overall::Failed => ("deny", Icon::Deny),
        Overall::Incomplete => ("warn", Icon::Help),
    };
    view! { <span class=format!("badge {tone}")>{icon(drawing)} {words::verify::overall(overall)}</span> }
}
