//! The page of one version.

mod clauses;

use contract::{
    id::{PolicyId, TenantId},
    policy::{VersionStage, VersionStatus},
};
use leptos::{prelude::*, server_fn::ServerFn};

use self::clauses::ClauseList;
use super::{
    act::read_version,
    action::VersionActions,
    lifecycle::Lifecycle,
    markup::{Bytes, Crumbs, Timeline},
    proof::{ApprovalCard, RulesDigest},
    view::{Closed, VersionPage as Version},
    words,
};
use crate::{
    editor::{act::OpenDraft, words as editor_words},
    flash::RejectedForm,
    policy::words as policy_words,
    review::words as review_words,
    rule::{markup::RulePages, view::RulePosition},
    text::{url, verdict::stage_meaning},
    ui::{
        badge::StageBadge,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        note::{Tone, note},
        params,
    },
};

/// `/t/{tenant}/policies/{policy}/versions/{version}`
#[component]
pub(crate) fn VersionPage() -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let (done, bytes) = (params::query("done"), params::query("bytes"));
    let (number, code) = (params::query("rules"), params::query("rule"));
    let position = move || RulePosition { number: number(), code: code() };
    load(
        move || (tenant(), policy(), version(), done(), position(), !bytes().is_empty()),
        async |(tenant, policy, version, done, position, bytes)| {
            let (tenant, policy, version) = (tenant?, policy?, version?);
            let page = url::version(tenant, policy, version);
            let read = read_version(tenant, policy, version, page, position, bytes).await;
            let (version, rejected) = read?;
            Ok((version, rejected, done))
        },
        |(version, rejected, done)| view! { <VersionContent version rejected done /> }.into_any(),
    )
}

#[component]
fn VersionContent(version: Version, rejected: Option<RejectedForm>, done: String) -> impl IntoView {
    let title = words::title(&version.policy_name, version.version);
    let (name, number) = (version.policy_name.clone(), version.version);
    let rules = version.rules.count();
    let path = url::version(version.tenant, version.policy, number);
    let review = url::review(version.tenant, version.policy, number);
    let compare = url::compare(version.tenant, version.policy, number);
    view! {
        <Crumbs version=version.clone() />
        <div class="page-head">
            <Heading title>
                <bdi>{name}</bdi>
                <span class="tabular-nums">" v" {number}</span>
            </Heading>
            <StageBadge stage=version.stage />
            <span class="tag">"r" {version.revision}</span>
        </div>
        <ActionNotice version=version.clone() done />
        <StatusText version=version.clone() />
        <Lifecycle version=version.clone() />
        <div class="row">
            <EditActions version=version.clone() />
            <a class="button" href=review>
                {review_words::open(number)}
            </a>
            <a class="button" href=compare>
                {policy_words::COMPARE}
            </a>
            <VersionActions version=version.clone() rejected />
        </div>
        <div class="with-rail">
            <div class="rail">
                <section class="card">
                    <div class="card-head">
                        <h2>{words::RULES}</h2>
                        <p class="text-muted text-xs">{rules}</p>
                    </div>
                    <RulePages path page=version.rules.clone() />
                </section>
                {version
                    .clauses
                    .clone()
                    .map(|clauses| {
                        view! { <ClauseList clauses is_paged=version.rules.is_paged() /> }
                    })}
                <div inner_html=version.comments.clone()></div>
            </div>
            <aside class="rail">
                <Timeline steps=version.steps.clone() reason=version.change_reason.clone() />
                <RulesDigest version=version.clone() />
                <ApprovalCard approval=version.approval.clone() />
            </aside>
        </div>
        <Bytes version id="bytes" />
    }
}

/// The notice of a completed action, if it matches the current state of the version.
#[component]
fn ActionNotice(version: Version, done: String) -> impl IntoView {
    words::done(&done, version.status, version.is_active)
        .map(|text| note(Tone::Allow, Some("status"), text(version.version)))
}

/// The meaning of the status, with a link to a newer version and the reason of a rejection.
#[component]
fn StatusText(version: Version) -> impl IntoView {
    let is_history = version.is_history();
    let link = |(label, number): (&'static str, u32)| {
        let href = url::version(version.tenant, version.policy, number);
        view! {
            " "
            {label}
            " "
            <a href=href>"v" {number}</a>
            "."
        }
    };
    let Closed { by_version, reason } = version.closed.clone().unwrap_or_default();
    let newest = version.successor.filter(|_| is_history && by_version.is_none());
    let replaced_by = by_version.map(|number| (words::REPLACED_BY, number));
    let successor = replaced_by.or(newest.map(|number| (words::NEWER, number)));
    let successor = successor.map(link);
    let closed = reason.map(|reason| {
        view! { <p>{words::CLOSED_REASON} " " <bdi>{reason}</bdi></p> }
    });
    let rejection = version.rejection.map(|reason| {
        view! {
            <div class="note warn">
                {icon(Icon::Warn)} <p>{words::REJECTED} " " <bdi>{reason}</bdi></p>
            </div>
        }
    });
    view! {
        <p class="intro">{stage_meaning(version.stage)} {successor}</p>
        {closed}
        {rejection}
    }
}

/// The link to edit this draft, or the button to open a new draft based on this version.
#[component]
fn EditActions(version: Version) -> impl IntoView {
    let is_draft = version.status == VersionStatus::Draft;
    let has_request = version.has_requested_changes();
    let (tenant, policy, number) = (version.tenant, version.policy, version.version);
    if has_request || (is_draft && version.may_write) {
        let href = url::edit_version(tenant, policy, number);
        let label =
            if has_request { editor_words::ADDRESS.to_owned() } else { editor_words::edit(number) };
        return view! {
            <p class="row">
                <a class="button primary" href=href>
                    {label}
                </a>
                {is_draft
                    .then(|| {
                        view! {
                            <a class="button" href=url::grant_on(tenant, policy, number)>
                                "Issue to a program"
                            </a>
                        }
                    })}
            </p>
        }
        .into_any();
    }
    let may_start = version.may_write && version.is_free;
    // The main action of a ratified version is its activation.
    let is_main = version.stage != VersionStage::Ratified;
    may_start.then(|| view! { <NewDraft tenant policy based_on=number is_main /> }).into_any()
}

/// The button that opens a draft based on a version, or an empty draft if there is none.
#[component]
pub(crate) fn NewDraft(
    tenant: TenantId,
    policy: PolicyId,
    based_on: u32,
    is_main: bool,
) -> impl IntoView {
    view! {
        <form method="post" action=OpenDraft::url()>
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="policy" value=policy.to_string() />
            <input type="hidden" name="based_on" value=based_on />
            <button class:primary=is_main data-key="n">
                {editor_words::NEW_DRAFT}
            </button>
        </form>
    }
}
