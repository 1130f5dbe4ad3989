//! The ten claims: what each one checks, and its result.

use contract::verification;
use leptos::prelude::*;

use crate::{
    ui::{
        facts::fact,
        icon::{Icon, icon},
        inline_code::quoted,
    },
    verify::{
        view::{Claim, Overall, Status},
        words,
    },
};

/// The claims, with the verifier's names and order.
#[component]
pub(super) fn ClaimList() -> impl IntoView {
    let item = |claim: verification::Claim| fact(words::claim(claim.as_str()), claim.meaning());
    view! {
        <section class="card selected-files" aria-labelledby="claims-head">
            <h2 id="claims-head">{words::CLAIMS}</h2>
            <p class="text-muted">{words::CLAIMS_NOTE}</p>
            <dl class="facts">{verification::Claim::ALL.into_iter().map(item).collect_view()}</dl>
        </section>
    }
}

#[component]
pub(super) fn ClaimLine(claim: Claim) -> impl IntoView {
    let explanation = claim.explanation();
    let title = words::claim(&claim.name);
    let Claim { name, status, code, notes, checked, not_checked, .. } = claim;
    let (tone, drawing) = match status {
        Status::Verified => ("allow", Icon::Allow),
        Status::Failed => ("deny", Icon::Deny),
        Status::NotApplicable => ("na", Icon::Dash),
        Status::Indeterminate => ("warn", Icon::Help),
    };
    let note = |note: String| {
        view! { <p>{words::note(&note)} " " <code class="rule-code">{note}</code></p> }
    };
    let list = |title: &'static str, what: &[String]| {
        (!what.is_empty()).then(|| {
            view! { <p class="text-xs text-muted">{title} " " {words::check_names(what)} "."</p> }
        })
    };
    view! {
        <li data-claim=name>
            <p>
                <span class=format!("status {tone}")>{icon(drawing)} {status.label()}</span>
            </p>
            <div>
                <p class="row">
                    <strong>{title}</strong>
                    {code.map(|code| view! { <code class="rule-code">{code}</code> })}
                </p>
                <p>
                    <bdi>{quoted(&explanation)}</bdi>
                </p>
                {notes.into_iter().map(note).collect_view()}
                {list(words::CHECKED, &checked)}
                {list(words::CLAIM_NOT_CHECKED, &not_checked)}
            </div>
        </li>
    }
}

#[component]
pub(super) fn OverallBadge(overall: Overall) -> impl IntoView {
    let (tone, drawing) = match overall {
        Overall::Verified => ("allow", Icon::Allow),
        Overall::Failed => ("deny", Icon::Deny),
        Overall::Incomplete => ("warn", Icon::Help),
    };
    view! { <span class=format!("status {tone}")>{icon(drawing)} {overall.label()}</span> }
}
