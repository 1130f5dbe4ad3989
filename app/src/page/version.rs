//! The page of one version.

mod clauses;

use contract::policy::VersionStatus;
use leptos::prelude::*;

use self::clauses::ClauseList;
use super::{policy::NewDraft, version_action::VersionActions};
use crate::{
    api::version::read_version,
    markup::{
        icon::{Icon, icon},
        note::{Tone, note},
        quote::quote,
    },
    text::{messages, number::count, url, verdict::status_meaning},
    ui::{
        badge::StatusBadge,
        code::Digest,
        heading::Heading,
        load::load,
        params,
        rule::RuleList,
        time::MinuteBy,
        version::{Bytes, Crumbs},
    },
    view::{flash::RejectedForm, policy::Step, version::VersionPage as Version},
};

/// `/t/{tenant}/policies/{policy}/versions/{version}`
#[component]
pub(crate) fn VersionPage() -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let done = params::query("done");
    load(
        move || (tenant(), policy(), version(), done()),
        async |(tenant, policy, version, done)| {
            let (tenant, policy, version) = (tenant?, policy?, version?);
            let page = url::version(tenant, policy, version);
            let (version, rejected) = read_version(tenant, policy, version, page).await?;
            Ok((version, rejected, done))
        },
        |(version, rejected, done)| view! { <VersionContent version rejected done /> }.into_any(),
    )
}

#[component]
fn VersionContent(version: Version, rejected: Option<RejectedForm>, done: String) -> impl IntoView {
    let title = messages::version::title(&version.policy_name, version.version);
    let (name, number) = (version.policy_name.clone(), version.version);
    let rules = count(version.rules.len(), "rule", "rules");
    let review = url::review(version.tenant, version.policy, number);
    view! {
        <Crumbs version=version.clone() />
        <div class="page-head">
            <Heading title>
                <bdi>{name}</bdi>
                <span class="tabular-nums">" v" {number}</span>
            </Heading>
            <StatusBadge status=version.status is_active=version.is_active />
            <span class="text-muted tabular-nums">"r" {version.revision}</span>
        </div>
        <ActionNotice version=version.clone() done />
        <StatusText version=version.clone() />
        <div class="row">
            <EditActions version=version.clone() />
            <a class="button" href=review>
                {messages::review::OPEN}
            </a>
        </div>
        <VersionActions version=version.clone() rejected />
        <div class="with-rail">
            <div class="rail">
                <section class="card">
                    <div class="card-head">
                        <h2>{messages::version::RULES}</h2>
                        <p class="text-muted text-xs">{rules}</p>
                    </div>
                    <RuleList rules=version.rules.clone() full=true />
                </section>
                {version.clauses.clone().map(|clauses| view! { <ClauseList clauses /> })}
            </div>
            <aside class="rail">
                <History steps=version.steps.clone() reason=version.change_reason.clone() />
                <section class="card">
                    <h2>{messages::version::DIGEST}</h2>
                    <p class="text-xs text-muted">{messages::version::DIGEST_HELP}</p>
                    <Digest digest=version.rules_digest.clone() what=messages::version::DIGEST />
                </section>
            </aside>
        </div>
        <Bytes canonical=version.canonical />
    }
}

/// The notice of a completed action, if it matches the current state of the version.
#[component]
fn ActionNotice(version: Version, done: String) -> impl IntoView {
    messages::version::done(&done, version.status, version.is_active)
        .map(|text| note(Tone::Allow, Some("status"), text(version.version)))
}

/// The meaning of the status, with a link to a newer version and the reason of a rejection.
#[component]
fn StatusText(version: Version) -> impl IntoView {
    let is_history = version.is_history();
    let successor = version.successor.filter(|_| is_history).map(|successor| {
        let href = url::version(version.tenant, version.policy, successor);
        view! {
            " "
            {messages::version::NEWER}
            " "
            <a href=href>"v" {successor}</a>
            "."
        }
    });
    let rejection = version.rejection.map(|reason| {
        view! {
            <div class="note warn">
                {icon(Icon::Warn)} <p>{messages::version::REJECTED} " " <bdi>{reason}</bdi></p>
            </div>
        }
    });
    let meaning = match (version.status, version.is_active, is_history) {
        (_, true, _) => messages::version::ACTIVE_VERSION,
        (VersionStatus::Ratified, _, true) => messages::version::REPLACED_VERSION,
        (status, ..) => status_meaning(status),
    };
    view! {
        <p class="intro">{meaning} {successor}</p>
        {rejection}
    }
}

/// The link to edit this draft, or the button to open a new draft based on this version.
#[component]
fn EditActions(version: Version) -> impl IntoView {
    let is_draft = version.status == VersionStatus::Draft;
    let (tenant, policy, number) = (version.tenant, version.policy, version.version);
    if is_draft && version.may_write {
        let href = url::edit_version(tenant, policy, number);
        return view! {
            <p class="row">
                <a class="button primary" href=href>
                    {messages::editor::EDIT}
                </a>
                <a class="button" href=url::grant_on(tenant, policy, number)>
                    {messages::capability::GRANT}
                </a>
            </p>
        }
        .into_any();
    }
    let may_start = version.may_write && version.is_free;
    may_start.then(|| view! { <NewDraft tenant policy based_on=number /> }).into_any()
}

#[component]
fn History(steps: Vec<Step>, reason: Option<String>) -> impl IntoView {
    let item = |step: Step| {
        view! {
            <li>
                <p class="font-semibold">{step.what.label()}</p>
                <p class="text-xs text-muted">
                    <MinuteBy at=step.at by=step.by />
                </p>
            </li>
        }
    };
    view! {
        <section class="card">
            <h2>{messages::version::TIMELINE}</h2>
            {reason.map(quote)}
            <ol class="timeline">{steps.into_iter().map(item).collect_view()}</ol>
        </section>
    }
}
