//! The ten claims: what each one checks, and its result.

use contract::verification;

use crate::{
    prelude::*,
    verify::{
        view::{Claim, Status},
        words,
    },
};

/// The claims, with the verifier's names and order.
pub(super) fn claim_list() -> AnyView {
    let item = |claim: verification::Claim| fact(words::claim(claim.as_str()), claim.meaning());
    any_view! {
        <section class="card selected-files claim-list" aria-labelledby="claims-head">
            <h2 id="claims-head">"What is checked"</h2>
            <p class="text-muted">
                "Ten claims, checked one by one. A claim that cannot be checked is never reported as verified."
            </p>
            <dl class="facts">{verification::Claim::ALL.into_iter().map(item).collect_view()}</dl>
        </section>
    }
}

/// The results of the claims, in the order of the report. `anchor` starts the IDs that the summary links to.
pub(super) fn claim_results(claims: Vec<Claim>, anchor: &'static str) -> AnyView {
    let lines = claims.into_iter().map(|claim| claim_line(claim, anchor));
    any_view! { <ol class="claims">{lines.collect_view()}</ol> }
}

fn claim_line(claim: Claim, anchor: &'static str) -> AnyView {
    let explanation = claim.explanation();
    let title = words::claim(&claim.name);
    let Claim { name, status, code, notes, checked, not_checked, .. } = claim;
    let drawing = match status {
        Status::Verified => Icon::Tick,
        Status::Failed => Icon::Cross,
        Status::NotApplicable => Icon::Dash,
        Status::Indeterminate => Icon::Help,
    };
    let note = |note: String| {
        view! { <p>{words::note(&note)} " " <code>{note}</code></p> }
    };
    let list = |title: &'static str, what: &[String]| {
        (!what.is_empty()).then(|| {
            view! { <p class="text-xs">{title} " " {words::check_names(what)} "."</p> }
        })
    };
    any_view! {
        <li id=format!("{anchor}-{name}") class=status.tone() data-claim=name>
            <span class="claim-icon">{icon(drawing)}</span>
            <div>
                <h4>{title}</h4>
                <p>
                    <bdi>{quoted(&explanation)}</bdi>
                </p>
                {code
                    .map(|code| {
                        view! {
                            <p>
                                <code>{code}</code>
                            </p>
                        }
                    })}
                {notes.into_iter().map(note).collect_view()}
                {list("Checked:", &checked)}
                {list("Not checked:", &not_checked)}
            </div>
            <span class="claim-word">{status.label()}</span>
        </li>
    }
}
