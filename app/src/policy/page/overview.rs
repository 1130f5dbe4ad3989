//! The overview of a policy: the version on its way to activation, the active rules, and facts.

use leptos::prelude::*;

use super::{active::ActiveVersion, lifecycle::Lifecycle};
use crate::{
    policy::{
        view::{PolicyPage as Policy, StepKind},
        words::{self, page as strings},
    },
    text::{
        number::{exact_rate, whole},
        url,
    },
    ui::{chart::spark, facts::fact, time::MinuteBy},
};

#[component]
pub(super) fn Overview(policy: Policy) -> impl IntoView {
    view! {
        <Lifecycle policy=policy.clone() />
        <div class="with-rail">
            <div class="stack">
                <ActiveVersion policy=policy.clone() />
            </div>
            <aside class="rail">
                <Recent policy=policy.clone() />
                <Facts policy />
            </aside>
        </div>
    }
}

/// The decisions of the last 30 days, if there are any.
#[component]
fn Recent(policy: Policy) -> impl IntoView {
    let recent = policy.row.recent;
    let href = url::analytics(policy.tenant, policy.row.id);
    (recent.decisions > 0).then(|| {
        let denied =
            format!("{}, {}", whole(recent.denied), exact_rate(recent.denied, recent.decisions));
        view! {
            <section class="card recent" aria-labelledby="recent">
                <div class="card-head">
                    <h2 id="recent">{strings::RECENT}</h2>
                    <a class="text-xs" href=href>
                        {words::ANALYTICS}
                    </a>
                </div>
                {spark(&recent.buckets)}
                <dl>
                    {fact(strings::DECISIONS, whole(recent.decisions))}
                    {fact(strings::DENIED, denied)}
                </dl>
            </section>
        }
    })
}

#[component]
fn Facts(policy: Policy) -> impl IntoView {
    let types = policy.row.governed_types();
    let ratified = policy.active().and_then(|version| {
        let step = version.steps.iter().find(|step| step.what == StepKind::Ratified)?.clone();
        Some(fact(strings::RATIFIED, view! { <MinuteBy at=step.at by=step.by /> }))
    });
    let (by, at) = policy.created;
    let group = policy.row.group.map(|(id, name)| {
        let href = url::group(policy.tenant, id);
        fact(
            strings::GROUP,
            view! {
                <a href=href>
                    <bdi>{name}</bdi>
                </a>
            },
        )
    });
    let reference = |reference: String| {
        view! {
            <li>
                <bdi>{reference}</bdi>
            </li>
        }
    };
    let references = policy.regulatory_refs.into_iter().map(reference).collect::<Vec<_>>();
    let references_row = (!references.is_empty()).then(|| {
        fact(strings::REGULATORY_REFS, view! { <ul class="plain-list">{references}</ul> })
    });
    view! {
        <section class="card">
            <h2>{strings::ABOUT}</h2>
            <dl>
                {fact(words::GOVERNS, view! { <bdi>{types}</bdi> })} {group} {references_row}
                {ratified} <dt>{strings::CREATED}</dt> <dd>
                    <MinuteBy at by />
                </dd>
            </dl>
        </section>
    }
}
