//! The overview of a policy: the version on its way to activation, the active rules, and facts.

use contract::{evaluation::Verdict, time::DAY_MS};
use leptos::prelude::*;

use super::{active::ActiveVersion, lifecycle::Lifecycle};
use crate::{
    policy::{
        view::{PolicyPage as Policy, StepKind},
        words::{self, page as strings},
    },
    rule::load::start,
    text::{
        number::{exact_rate, whole},
        url,
    },
    ui::{chart::verdict_spark, code::ShortDigest, facts::fact, time::MinuteBy},
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

/// The decisions of the last 30 days, if there are any, and the rules that never applied.
#[component]
fn Recent(policy: Policy) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let decisions = policy.recent_decisions(None);
    if decisions == 0 {
        return ().into_any();
    }
    let part = |verdict: Verdict| {
        let part = policy.recent_decisions(Some(verdict));
        fact(verdict.as_str(), format!("{}, {}", whole(part), exact_rate(part, decisions)))
    };
    let number = policy.active().map_or(0, |version| version.version);
    let rule = |code: &String| {
        view! {
            <li>
                <a class="font-mono" href=url::rule(tenant, id, number, code)>
                    <bdi>{code.clone()}</bdi>
                </a>
            </li>
        }
    };
    let never: Vec<_> = policy.never_applied.iter().map(rule).collect();
    let never = (!never.is_empty())
        .then(|| fact(strings::NEVER_APPLIED, view! { <ul class="plain-list">{never}</ul> }));
    let days: Vec<_> = policy.recent.buckets.iter().map(|day| day.verdicts.clone()).collect();
    let [first, last] =
        [policy.recent.from, policy.recent.to.plus_millis(-1)].map(|at| start(DAY_MS, at));
    view! {
        <section class="card recent" aria-labelledby="recent">
            <div class="card-head">
                <h2 id="recent">{strings::RECENT}</h2>
                <a class="text-xs" href=url::analytics(tenant, id)>
                    {words::ANALYTICS}
                </a>
            </div>
            {verdict_spark(&days)}
            <p class="axis">
                <span>{first}</span>
                <span>{last}</span>
            </p>
            <dl>
                {fact(strings::DECISIONS, whole(decisions))} {part(Verdict::Deny)}
                {part(Verdict::Review)} {never}
            </dl>
        </section>
    }
    .into_any()
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
    let digest = policy
        .rules_digest
        .map(|digest| fact(strings::DIGEST, view! { <ShortDigest digest what=strings::DIGEST /> }));
    view! {
        <section class="card">
            <h2>{strings::ABOUT}</h2>
            <dl>
                {fact(words::GOVERNS, view! { <bdi>{types}</bdi> })} {group} {references_row}
                {ratified} {digest} <dt>{strings::CREATED}</dt> <dd>
                    <MinuteBy at by />
                </dd>
            </dl>
        </section>
    }
}
