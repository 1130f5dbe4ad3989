//! Judging a change, rule by rule.

mod beside;
#[cfg(feature = "ssr")]
pub(crate) mod confirm;
mod diff;
pub(super) mod record;

use contract::policy::ReviewVerdict;
use leptos::prelude::*;

use self::{
    beside::{Codification, OtherClauses, behind, beside},
    diff::ChangeView,
    record::{ReviewFields, SealedList},
};
use super::{params, version::Crumbs};
use crate::{
    api::review::read_review,
    text::words,
    ui::{
        badge::StatusBadge,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        rule::RuleList,
    },
    view::review::{Change, ReviewPage as Review},
};

/// `/t/{tenant}/policies/{policy}/versions/{version}/review`
#[component]
pub(crate) fn ReviewPage() -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let page = Resource::new(
        move || (tenant(), policy(), version()),
        async |(tenant, policy, version)| read_review(tenant?, policy?, version?).await,
    );
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: Review) -> impl IntoView {
    let version = page.version.clone();
    let title = words::review::title(&version.policy_name, version.version);
    let (name, number, revision) = (version.policy_name.clone(), version.version, version.revision);
    let against = page.against.map(words::review::against);
    let moved = page.sealed.first().filter(|sealed| sealed.revision != revision);
    let moved = moved.map(|sealed| words::review::moved(sealed.revision, revision));
    let may_record = page.may_review && page.barred.is_none();
    let changes = if may_record {
        view! { <ReviewFields page=page.clone()/> }.into_any()
    } else {
        view! { <Reading page=page.clone()/> }.into_any()
    };
    let same = page.same.clone();
    let count = words::review::same(same.len());
    let same = (!same.is_empty()).then(|| {
        view! {
            <details class="card disclosure">
                <summary>{count}</summary>
                <RuleList rules=same beside=beside(page.version.clauses.clone())/>
            </details>
        }
    });
    let clauses = version.clauses.clone();
    // Clauses need the room beside the rules; then what was sealed comes after them.
    let layout = if clauses.is_some() { "stack" } else { "with-rail" };
    view! {
        <Crumbs version=version.clone()/>
        <div class="page-head">
            <Heading title>
                <bdi>{name}</bdi>
                <span class="tabular-nums">" v" {number}</span>
            </Heading>
            <StatusBadge status=version.status is_active=version.is_active/>
            <span class="text-muted tabular-nums">"r" {revision} " " {against}</span>
        </div>
        {page.against.is_none().then(|| view! { <p class="text-muted">{words::review::ALL_NEW}</p> })}
        {moved
            .map(|text| view! {
                <div class="note warn">
                    {icon(Icon::Warn)}
                    <p>{text}</p>
                </div>
            })}
        <div class=layout>
            <div class="stack">
                <Codification clauses=clauses.clone()/>
                {changes}
                {same}
                <OtherClauses clauses/>
            </div>
            <aside class="rail">
                <SealedList sealed=page.sealed revision/>
            </aside>
        </div>
    }
}

/// The changes for somebody who does not judge them now, and why.
#[component]
fn Reading(page: Review) -> impl IntoView {
    let why = page.barred.filter(|_| page.may_review);
    let empty = page.changes.is_empty().then(|| {
        view! { <p class="text-muted">{words::review::NOTHING}</p> }
    });
    let remarks = remarks(&page.sealed);
    let clauses = page.version.clauses;
    let change = move |change: Change| {
        let behind = behind(clauses.as_ref(), &change);
        view! { <ChangeView change remarks=remarks.clone() revision=page.version.revision behind/> }
    };
    view! {
        {why.map(|why| view! { <p class="text-muted">{why}</p> })}
        <section class="stack" aria-label=words::review::CHANGES>
            {empty} {page.changes.into_iter().map(change).collect_view()}
        </section>
    }
}

/// What reviewers said of a rule: its code, the revision, who, what they found, and the text.
pub(super) type Remark = (String, u32, Option<String>, ReviewVerdict, String);

/// All remarks on rules, newest first.
fn remarks(sealed: &[crate::view::review::SealedLine]) -> Vec<Remark> {
    let recorded = sealed.iter().filter_map(|line| Some((line, line.record.as_ref()?)));
    recorded
        .flat_map(|(line, record)| {
            record.comments.iter().filter_map(move |(code, text)| {
                let code = code.clone()?;
                Some((code, line.revision, record.by.clone(), record.verdict, text.clone()))
            })
        })
        .collect()
}
