//! The review of a submitted draft, rule by rule.

mod bar;
mod clauses;
#[cfg(feature = "ssr")]
pub(crate) mod confirm;
mod diff;
mod index;
pub(crate) mod review_form;
mod reviewers;

use leptos::prelude::*;

use self::{
    bar::ReviewBar,
    clauses::{Codification, clauses_by_rule, clauses_for},
    diff::ChangeView,
    index::RuleIndex,
    review_form::{ReviewFields, SubmissionList},
    reviewers::Reviewers,
};
use super::{
    act::read_review,
    tab::ReviewTab,
    view::{Change, ChangeScope, ReviewPage as Review},
    words,
};
use crate::{
    rule::markup::RuleList,
    ui::{
        badge::StageBadge,
        code::ShortDigest,
        heading::Heading,
        load::load,
        note::{Tone, note},
        params,
        tabs::{Tab, Tabs},
        time::Minute,
    },
    version::{
        markup::{ChangeReason, Crumbs, Timeline},
        view::VersionPage,
        words as version_words,
    },
};

/// `/t/{tenant}/policies/{policy}/versions/{version}/review`
#[component]
pub(crate) fn ReviewPage() -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let (changes, tab) = (params::query("changes"), params::query("tab"));
    let shown = move || (ChangeScope::read(&changes()), ReviewTab::read(&tab()));
    load(
        move || (tenant(), policy(), version(), shown()),
        async |(tenant, policy, version, (scope, tab))| {
            read_review(tenant?, policy?, version?, scope, tab).await
        },
        |page| view! { <ReviewContent page /> }.into_any(),
    )
}

#[component]
fn ReviewContent(page: Review) -> impl IntoView {
    let version = page.version.clone();
    let title = words::title(&version.policy_name, version.version);
    let revision = version.revision;
    let newer = page.sealed.first().filter(|sealed| sealed.revision != revision);
    let revision_note = newer.map(|sealed| words::newer_revision(sealed.revision, revision));
    let content = match page.tab {
        ReviewTab::Changes => view! { <Changes page=page.clone() /> }.into_any(),
        ReviewTab::Comments => {
            let comments = page.comments.clone();
            view! {
                <Aside page=page.clone()>
                    <div inner_html=comments></div>
                </Aside>
            }
            .into_any()
        }
        ReviewTab::Clauses => view! { <Codification version=version.clone() /> }.into_any(),
        ReviewTab::Timeline => {
            let (steps, reason) = (version.steps.clone(), version.change_reason.clone());
            let (sealed, stage) = (page.sealed.clone(), version.stage);
            view! {
                <Aside page=page.clone()>
                    <Timeline steps reason />
                    <SubmissionList sealed revision stage />
                </Aside>
            }
            .into_any()
        }
    };
    view! {
        <Crumbs version=version.clone() />
        <div class="page-head">
            <Heading title />
            <StageBadge stage=version.stage />
            <span class="tag">"r" {revision}</span>
        </div>
        <Meta page=page.clone() />
        <ReviewTabs page />
        {revision_note.map(|text| note(Tone::Warn, None, text))}
        {content}
    }
}

/// The tabs, with the numbers of changes, comments and clauses.
#[component]
fn ReviewTabs(page: Review) -> impl IntoView {
    let version = &page.version;
    let clauses = version.clauses.as_ref().map(|clauses| clauses.lines.len());
    let tab = |tab: ReviewTab| {
        let count = match tab {
            ReviewTab::Changes => Some(page.viewed.1),
            ReviewTab::Comments => Some(page.comment_count),
            ReviewTab::Clauses => clauses,
            ReviewTab::Timeline => None,
        };
        Tab {
            href: tab.page(version.tenant, version.policy, version.version),
            label: tab.label(),
            count: count.map(|count| count as u64),
            is_current: tab == page.tab,
        }
    };
    view! { <Tabs label=words::TABS tabs=ReviewTab::ALL.map(tab).into() /> }
}

/// The content of a tab, next to the reviewers.
#[component]
fn Aside(page: Review, children: Children) -> impl IntoView {
    view! {
        <div class="with-rail">
            <div class="stack">{children()}</div>
            <aside class="rail">
                <Reviewers page />
            </aside>
        </div>
    }
}

/// The rules that differ, with their index, and the bar with the verdict.
#[component]
fn Changes(page: Review) -> impl IntoView {
    let version = page.version.clone();
    let base = page.base_review().cloned();
    let is_new = base.is_none() && page.against.is_none();
    let links = page.last_review.is_some().then(|| {
        view! { <ScopeLinks version=version.clone() scope=page.scope /> }
    });
    let may_record = page.may_review && page.blocked_reason.is_none();
    let bar = may_record.then(|| view! { <ReviewBar page=page.clone() /> });
    let index = (!page.changes.is_empty()).then(|| view! { <RuleIndex page=page.clone() /> });
    let changes = if may_record {
        view! { <ReviewFields page=page.clone() /> }.into_any()
    } else {
        view! { <ReadOnlyChanges page=page.clone() /> }.into_any()
    };
    let same = page.same.clone();
    let count = words::same(same.len());
    let same = (!same.is_empty()).then(|| {
        view! {
            <details class="card disclosure">
                <summary>{count}</summary>
                <RuleList rules=same aside=clauses_by_rule(version.clauses.clone()) />
            </details>
        }
    });
    let since = base.map(|review| view! { <div inner_html=review.changes></div> });
    // Clauses need the space next to the rules; the reviewers are then below.
    let layout = match (&index, &version.clauses) {
        (None, None) => "with-rail",
        (None, Some(_)) => "stack",
        (Some(_), None) => "review-grid",
        (Some(_), Some(_)) => "review-grid codified",
    };
    view! {
        {is_new.then(|| view! { <p class="text-muted">{words::ALL_NEW}</p> })}
        {links}
        <div class=layout>
            {index} <div class="stack">
                <ChangeReason reason=version.change_reason />
                {since}
                {changes}
                {same}
                <div inner_html=page.comments.clone()></div>
            </div> <aside class="rail">
                <Reviewers page />
            </aside>
        </div>
        {bar}
    }
}

/// What the rules are compared with, the submission, and the digest of the rules.
#[component]
fn Meta(page: Review) -> impl IntoView {
    let against = match page.base_review() {
        Some(review) => Some(words::against_review(&review.revision)),
        None => page.against.map(words::against),
    };
    let against = against.map(|text| view! { <span>{text}</span> });
    let submission = page.sealed.first().map(|sealed| {
        let number = words::submission(sealed.sequence).map(|text| format!(", {text}"));
        view! {
            <span>
                {words::SUBMITTED_BY} " " <bdi class="font-semibold">{sealed.by.clone()}</bdi> " "
                <Minute at=sealed.at /> {number}
            </span>
        }
    });
    let digest = page.version.rules_digest.clone();
    view! {
        <p class="compare-meta text-muted">
            {against} {submission}
            <span>
                {version_words::DIGEST} " " <ShortDigest digest what=version_words::DIGEST />
            </span>
        </p>
    }
}

/// The links between the changes since the user's last review and all changes.
#[component]
fn ScopeLinks(version: VersionPage, scope: ChangeScope) -> impl IntoView {
    let link = |one: ChangeScope| {
        let href = one.page(version.tenant, version.policy, version.version);
        let label = match one {
            ChangeScope::SinceReview => words::SINCE_REVIEW,
            ChangeScope::All => words::ALL_CHANGES,
        };
        view! {
            <a href=href aria-current=(one == scope).then_some("true")>
                {label}
            </a>
        }
    };
    view! {
        <div class="row">
            <nav class="segmented" aria-label=words::SHOWN_CHANGES>
                {ChangeScope::ALL.map(link)}
            </nav>
        </div>
    }
}

/// Says that no rule differs, unless the summary of the changes since the last review says so.
fn no_changes(page: &Review) -> Option<impl IntoView + use<>> {
    let is_empty = page.changes.is_empty() && page.base_review().is_none();
    is_empty.then(|| view! { <p class="text-muted">{words::NO_CHANGES}</p> })
}

/// The changes for a user who cannot record a review now, with the reason.
#[component]
fn ReadOnlyChanges(page: Review) -> impl IntoView {
    let empty = no_changes(&page);
    let reason = page.blocked_reason.filter(|_| page.may_review);
    let (threads, clauses) = (page.threads, page.version.clauses);
    let change = move |change: Change| {
        let rule_clauses = clauses_for(clauses.as_ref(), &change);
        let comments = threads.get(&change.code).cloned();
        view! { <ChangeView change comments rule_clauses /> }
    };
    view! {
        {reason.map(|reason| view! { <p class="text-muted">{reason}</p> })}
        <section class="stack" aria-label=words::CHANGES>
            {empty}
            {page.changes.into_iter().map(change).collect_view()}
        </section>
    }
}
