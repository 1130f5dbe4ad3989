//! The head of a result: the result as a word, its meaning, and what the bundle is about.

use crate::{
    prelude::*,
    ui::{code::short_digest, time::exact_utc},
    verify::{
        view::{Claim, Overall, Report, Stated, StatedPolicy, Status},
        words,
    },
};

/// The result in the color of its meaning. `heading` contains the result as a word; `anchor` starts the
/// IDs of the claims.
pub(super) fn banner(
    report: Report,
    stated: Option<Stated>,
    heading: AnyView,
    meaning: &'static str,
    anchor: &'static str,
) -> AnyView {
    let drawing = match report.overall {
        Overall::Verified => Icon::Allow,
        Overall::Failed => Icon::Deny,
        Overall::Incomplete => Icon::Help,
    };
    let (class, counts) = (format!("result-banner {}", report.overall.tone()), report.counts());
    let (claims, failed) = (report.claims.clone(), failed_links(&report.claims, anchor));
    any_view! {
        <div class=class>
            <div class="result-head">
                <span class="result-icon">{icon(drawing)}</span>
                <div class="grow">
                    {heading} <p>{meaning}</p> <p class="font-semibold">{counts} {failed}</p>
                </div>
                {ring(claims)}
            </div>
            {subject(report, stated)}
        </div>
    }
}

/// Links to the claims that failed.
fn failed_links(claims: &[Claim], anchor: &'static str) -> Option<AnyView> {
    let failed = claims.iter().filter(|claim| claim.status == Status::Failed);
    let links = failed.enumerate().map(|(index, claim)| {
        let href = format!("#{anchor}-{}", claim.name);
        view! {
            {(index > 0).then_some(", ")}
            <a href=href rel="external">
                {words::claim(&claim.name)}
            </a>
        }
    });
    let links = links.collect::<Vec<_>>();
    (!links.is_empty()).then(|| {
        any_view! {
            " "
            {words::FAILED}
            " "
            {links}
            "."
        }
    })
}

/// The length of the ring of `Ring` for each claim.
const SEGMENT: usize = 12;

/// One segment for each claim, and the number of verified claims. The text next to it states the same.
fn ring(claims: Vec<Claim>) -> AnyView {
    let verified = claims.iter().filter(|claim| claim.status == Status::Verified).count();
    let number = format!("{verified}/{}", claims.len());
    // The circumference of the circles is 120.
    let segment = |(index, claim): (usize, Claim)| {
        view! {
            <circle
                class=claim.status.tone()
                cx="24"
                cy="24"
                r="19.1"
                stroke-dasharray="10.5 109.5"
                stroke-dashoffset=format!("-{}", index * SEGMENT)
                transform="rotate(-88 24 24)"
            ></circle>
        }
    };
    any_view! {
        <svg class="result-ring" viewBox="0 0 48 48" width="88" height="88" aria-hidden="true">
            {claims.into_iter().enumerate().map(segment).collect_view()}
            <text x="24" y="28" text-anchor="middle">
                {number}
            </text>
        </svg>
    }
}

/// The verdict, the policy and the time that the receipt states, and the ID.
fn subject(report: Report, stated: Option<Stated>) -> Option<AnyView> {
    let is_verified = report.is_receipt_verified();
    let id = report.subject.and_then(|subject| match (subject.decision_id, subject.chain_id) {
        (Some(id), _) => Some(("Decision ID", id)),
        (None, Some(id)) => Some(("Chain ID", id)),
        (None, None) => None,
    });
    if stated.is_none() && id.is_none() {
        return None;
    }
    let id = id.map(|(what, digest)| short_digest(digest, what));
    Some(any_view! {
        <p class="subject" data-stated="">
            {stated.map(|stated| stated_parts(stated, is_verified))}
            {id}
        </p>
    })
}

fn stated_parts(stated: Stated, is_verified: bool) -> AnyView {
    let Stated { verdict, decision_type, recorded_at, policy } = stated;
    let policy = policy.map(|StatedPolicy { name, version }| {
        view! {
            <span>
                <bdi>{name}</bdi>
                " v"
                {version}
            </span>
        }
    });
    let decision_type = decision_type.map(|decision_type| {
        view! {
            <code>
                <bdi>{decision_type}</bdi>
            </code>
        }
    });
    any_view! {
        <VerdictBadge verdict />
        {decision_type}
        {policy}
        {recorded_at.map(exact_utc)}
        {(!is_verified)
            .then(|| {
                view! { <span class="text-muted">"Stated in the bundle, not verified"</span> }
            })}
    }
}
