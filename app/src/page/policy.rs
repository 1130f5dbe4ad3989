//! One policy at a glance.

use contract::id::{PolicyId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::{editor::OpenDraft, policy::read_policy},
    text::{number::count, url, verdict::status_meaning, words},
    ui::{
        badge::{ModeBadge, StatusBadge},
        heading::Heading,
        load::load,
        rule::RuleList,
        time::Minute,
    },
    view::policy::{PolicyPage as Policy, VersionRow},
};

/// `/t/{tenant}/policies/{policy}`
#[component]
pub(crate) fn PolicyPage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::policy());
    let policy = Resource::new(
        move || (tenant(), id()),
        async |(tenant, id)| read_policy(tenant?, id?).await,
    );
    view! { {load(policy, |policy| view! { <Overview policy/> }.into_any())} }
}

#[component]
fn Overview(policy: Policy) -> impl IntoView {
    let Policy { tenant, ref row, .. } = policy;
    let (id, name) = (row.id, row.name.clone());
    let active = policy.active().cloned();
    let open = policy.open().cloned();
    let href = move |version: u32| url::version(tenant, id, version);
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::policies(tenant)>{words::policies::TITLE}</a>
        </nav>
        <div class="page-head">
            <Heading title=name.clone()>
                <bdi>{name}</bdi>
            </Heading>
            <bdi class="font-mono text-muted">{row.code.clone()}</bdi>
            <ModeBadge shadow=row.shadow_mode/>
            <div class="row push">
                <a class="button" href=url::analytics(tenant, id)>
                    {words::policy::ANALYTICS}
                </a>
                {policy
                    .is_deactivable()
                    .then(|| view! {
                        <a class="button" href=url::deactivate(tenant, id)>
                            {words::policy::DEACTIVATE}
                        </a>
                    })}
                {policy.may_write.then(|| view! { <Writing policy=policy.clone()/> })}
            </div>
        </div>
        {policy.description.clone().map(|text| view! { <p class="lead">{text}</p> })}
        <div class="with-rail">
            <div class="stack">
                <Deciding active href=href policy=policy.clone()/>
                <Versions versions=policy.versions.clone() href=href/>
            </div>
            <aside class="rail">
                <OpenDraft open href=href/>
                <Facts policy/>
            </aside>
        </div>
    }
}

/// A new draft, unless one is open; and the policy's own members.
#[component]
fn Writing(policy: Policy) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let newest = policy.active().or(policy.versions.first()).map_or(0, |version| version.version);
    let draft = policy.open().is_none();
    view! {
        <a class="button" href=url::edit_policy(tenant, id)>
            {words::policy_form::EDIT}
        </a>
        {draft.then(|| view! { <NewDraft tenant policy=id based_on=newest/> })}
    }
}

/// Opens a draft that starts from a version; from nothing where there is none.
#[component]
pub(super) fn NewDraft(tenant: TenantId, policy: PolicyId, based_on: u32) -> impl IntoView {
    view! {
        <form method="post" action=OpenDraft::url()>
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="policy" value=policy.to_string()/>
            <input type="hidden" name="based_on" value=based_on/>
            <button class="primary" data-key="n">
                {words::editor::NEW_DRAFT}
            </button>
        </form>
    }
}

/// The version that decides, as sentences.
#[component]
fn Deciding<H>(active: Option<VersionRow>, href: H, policy: Policy) -> impl IntoView
where
    H: Fn(u32) -> String + Copy + Send + Sync + 'static,
{
    let Some(version) = active else {
        let text = words::policy::NO_ACTIVE;
        return view! {
            <section class="card">
                <h2>{words::policy::ACTIVE}</h2>
                <p class="text-muted">{text}</p>
            </section>
        }
        .into_any();
    };
    let rules = count(policy.active_rules.len(), "rule", "rules");
    view! {
        <section class="card">
            <div class="card-head">
                <h2>
                    {words::policy::ACTIVE} " " <a href=href(version.version)>"v" {version.version}</a>
                </h2>
                <p class="text-muted text-xs">
                    {rules} ", " {words::policy::SINCE} " " <Minute at=version.last.at/>
                </p>
            </div>
            <RuleList rules=policy.active_rules/>
        </section>
    }
    .into_any()
}

#[component]
fn OpenDraft<H>(open: Option<VersionRow>, href: H) -> impl IntoView
where
    H: Fn(u32) -> String + Copy + Send + Sync + 'static,
{
    let shown = match open {
        None => view! { <p class="text-muted">{words::policy::NO_DRAFT}</p> }.into_any(),
        Some(version) => view! {
            <p class="row">
                <a class="font-semibold" href=href(version.version)>
                    "v"
                    {version.version}
                </a>
                <StatusBadge status=version.status/>
                <span class="text-muted tabular-nums">"r" {version.revision}</span>
            </p>
            <p class="text-muted">{status_meaning(version.status)}</p>
        }
        .into_any(),
    };
    view! {
        <section class="card">
            <h2>{words::policy::OPEN_DRAFT}</h2>
            {shown}
        </section>
    }
}

#[component]
fn Facts(policy: Policy) -> impl IntoView {
    let types = match policy.row.decision_types.as_slice() {
        [] => words::policies::EVERY_TYPE.to_owned(),
        types => types.join(", "),
    };
    let (by, at) = policy.created;
    let refs = policy.regulatory_refs.into_iter();
    let refs = refs.map(|law| view! { <li><bdi>{law}</bdi></li> }).collect::<Vec<_>>();
    let laws = (!refs.is_empty()).then(|| {
        view! {
            <dt>{words::policy::SERVES}</dt>
            <dd>
                <ul class="plain-list">{refs}</ul>
            </dd>
        }
    });
    view! {
        <section class="card">
            <h2>{words::policy::FACTS}</h2>
            <dl>
                <dt>{words::policy::GOVERNS}</dt>
                <dd>
                    <bdi>{types}</bdi>
                </dd>
                {laws}
                <dt>{words::policy::MADE}</dt>
                <dd>
                    <Minute at/>
                    {by.map(|by| view! { " " {words::BY} " " <bdi>{by}</bdi> })}
                </dd>
            </dl>
        </section>
    }
}

/// All versions, newest first, each with the last thing that happened to it.
#[component]
fn Versions<H>(versions: Vec<VersionRow>, href: H) -> impl IntoView
where
    H: Fn(u32) -> String + Copy + Send + Sync + 'static,
{
    let line = move |version: VersionRow| {
        view! {
            <li>
                <div class="row">
                    <a class="font-semibold tabular-nums" href=href(version.version) data-row="">
                        "v"
                        {version.version}
                    </a>
                    <StatusBadge status=version.status is_active=version.is_active/>
                    <span class="text-muted text-xs">
                        {words::step(version.last.what)} " " <Minute at=version.last.at/>
                        {version.last.by.map(|by| view! { " " {words::BY} " " <bdi>{by}</bdi> })}
                    </span>
                </div>
                {version.change_reason.map(|text| view! { <p class="text-muted">{text}</p> })}
            </li>
        }
    };
    let shown = if versions.is_empty() {
        view! { <p class="text-muted">{words::policy::NO_VERSIONS}</p> }.into_any()
    } else {
        view! { <ol class="timeline">{versions.into_iter().map(line).collect_view()}</ol> }
            .into_any()
    };
    view! {
        <section class="card">
            <h2>{words::policy::VERSIONS}</h2>
            {shown}
        </section>
    }
}
