//! One version, exactly.

mod clauses;

use contract::policy::VersionStatus;
use leptos::prelude::*;

use self::clauses::ClauseList;
use super::{act::Acts, params, policy::NewDraft};
use crate::{
    api::version::read_version,
    text::{number::count, url, verdict::status_meaning, words},
    ui::{
        badge::StatusBadge,
        code::{CodeBlock, Digest},
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        rule::RuleList,
        time::Minute,
    },
    view::{kept::Kept, policy::Step, version::VersionPage as Version},
};

/// `/t/{tenant}/policies/{policy}/versions/{version}`
#[component]
pub(crate) fn VersionPage() -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let done = params::query("done");
    let page = Resource::new(
        move || (tenant(), policy(), version(), done()),
        async |(tenant, policy, version, done)| {
            let (tenant, policy, version) = (tenant?, policy?, version?);
            let page = url::version(tenant, policy, version);
            let (version, kept) = read_version(tenant, policy, version, page).await?;
            Ok((version, kept, done))
        },
    );
    let show = |(version, kept, done): (Version, Option<Kept>, String)| {
        view! { <Exactly version kept done/> }.into_any()
    };
    view! { {load(page, show)} }
}

#[component]
fn Exactly(version: Version, kept: Option<Kept>, done: String) -> impl IntoView {
    let title = words::version::title(&version.policy_name, version.version);
    let (name, number) = (version.policy_name.clone(), version.version);
    let rules = count(version.rules.len(), "rule", "rules");
    let review = url::review(version.tenant, version.policy, number);
    view! {
        <Crumbs version=version.clone()/>
        <div class="page-head">
            <Heading title>
                <bdi>{name}</bdi>
                <span class="tabular-nums">" v" {number}</span>
            </Heading>
            <StatusBadge status=version.status is_active=version.is_active/>
            <span class="text-muted tabular-nums">"r" {version.revision}</span>
        </div>
        <Done version=version.clone() done/>
        <Standing version=version.clone()/>
        <div class="row">
            <Writing version=version.clone()/>
            <a class="button" href=review>
                {words::review::OPEN}
            </a>
        </div>
        <Acts version=version.clone() kept/>
        <div class="with-rail">
            <div class="rail">
                <section class="card">
                    <div class="card-head">
                        <h2>{words::version::RULES}</h2>
                        <p class="text-muted text-xs">{rules}</p>
                    </div>
                    <RuleList rules=version.rules.clone() full=true/>
                </section>
                {version.clauses.clone().map(|clauses| view! { <ClauseList clauses/> })}
            </div>
            <aside class="rail">
                <History steps=version.steps.clone() reason=version.change_reason.clone()/>
                <section class="card">
                    <h2>{words::version::DIGEST}</h2>
                    <p class="text-xs text-muted">{words::version::DIGEST_SAYS}</p>
                    <Digest digest=version.rules_digest.clone() what=words::version::DIGEST/>
                </section>
            </aside>
        </div>
        <Bytes canonical=version.canonical/>
    }
}

/// The way back to the policy.
#[component]
pub(super) fn Crumbs(version: Version) -> impl IntoView {
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::policies(version.tenant)>{words::policies::TITLE}</a>
            {icon(Icon::Next)}
            <a href=url::policy(version.tenant, version.policy)>
                <bdi>{version.policy_name}</bdi>
            </a>
        </nav>
    }
}

/// What an act has just done, told from the state that the version is in now.
#[component]
fn Done(version: Version, done: String) -> impl IntoView {
    words::version::done(&done, version.status, version.is_active).map(|text| {
        view! {
            <div class="note allow" role="status">
                {icon(Icon::Allow)}
                <p>{text(version.version)}</p>
            </div>
        }
    })
}

/// What the state means, and what else a reader must know of it.
#[component]
fn Standing(version: Version) -> impl IntoView {
    let history = version.is_history();
    let successor = version.successor.filter(|_| history).map(|successor| {
        let href = url::version(version.tenant, version.policy, successor);
        view! { " " {words::version::NEWER} " " <a href=href>"v" {successor}</a> "." }
    });
    let rejection = version.rejection.map(|reason| {
        view! {
            <div class="note warn">
                {icon(Icon::Warn)}
                <p>
                    {words::version::REJECTED} " "
                    <bdi>{reason}</bdi>
                </p>
            </div>
        }
    });
    let meaning = match (version.status, version.is_active, history) {
        (_, true, _) => words::version::DECIDES,
        (VersionStatus::Ratified, _, true) => words::version::DECIDED,
        (status, ..) => status_meaning(status),
    };
    view! {
        <p class="lead">{meaning} {successor}</p>
        {rejection}
    }
}

/// The way to write: this draft, or a new one that starts from this version.
#[component]
fn Writing(version: Version) -> impl IntoView {
    let is_draft = version.status == VersionStatus::Draft;
    let (tenant, policy, number) = (version.tenant, version.policy, version.version);
    if is_draft && version.may_write {
        let href = url::edit_version(tenant, policy, number);
        return view! {
            <p class="row">
                <a class="button primary" href=href>
                    {words::editor::EDIT}
                </a>
                <a class="button" href=url::grant_on(tenant, policy, number)>
                    {words::capability::GRANT}
                </a>
            </p>
        }
        .into_any();
    }
    let may_start = version.may_write && version.is_free;
    may_start.then(|| view! { <NewDraft tenant policy based_on=number/> }).into_any()
}

/// Who did what to the version, and when.
#[component]
fn History(steps: Vec<Step>, reason: Option<String>) -> impl IntoView {
    let line = |step: Step| {
        view! {
            <li>
                <p class="font-semibold">{words::step(step.what)}</p>
                <p class="text-xs text-muted">
                    <Minute at=step.at/>
                    {step.by.map(|by| view! { " " {words::BY} " " <bdi>{by}</bdi> })}
                </p>
            </li>
        }
    };
    view! {
        <section class="card">
            <h2>{words::version::TIMELINE}</h2>
            {reason.map(|text| view! { <p class="quote"><bdi>{text}</bdi></p> })}
            <ol class="timeline">{steps.into_iter().map(line).collect_view()}</ol>
        </section>
    }
}

/// The exact bytes behind the digest.
#[component]
pub(super) fn Bytes(canonical: String) -> impl IntoView {
    let summary = words::version::bytes(canonical.len());
    view! {
        <details class="disclosure">
            <summary>{summary}</summary>
            <CodeBlock text=canonical label=words::version::CANONICAL/>
        </details>
    }
}
