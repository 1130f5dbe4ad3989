//! The page of one policy.

use contract::id::{PolicyId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::{editor::OpenDraft, policy::read_policy},
    text::{messages, number::count, url, verdict::status_meaning},
    ui::{
        badge::{ModeBadge, StatusBadge},
        facts::fact,
        heading::Heading,
        load::load,
        panel::Crumb,
        params,
        rule::RuleList,
        time::{Minute, MinuteBy},
    },
    view::policy::{PolicyPage as Policy, VersionRow},
};

/// `/t/{tenant}/policies/{policy}`
#[component]
pub(crate) fn PolicyPage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::policy());
    load(
        move || (tenant(), id()),
        async |(tenant, id)| read_policy(tenant?, id?).await,
        |policy| view! { <PolicyContent policy /> }.into_any(),
    )
}

#[component]
fn PolicyContent(policy: Policy) -> impl IntoView {
    let Policy { tenant, ref row, .. } = policy;
    let (id, name) = (row.id, row.name.clone());
    let open = policy.open().cloned();
    view! {
        <Crumb href=url::policies(tenant) label=messages::policies::TITLE />
        <div class="page-head">
            <Heading title=name.clone()>
                <bdi>{name}</bdi>
            </Heading>
            <bdi class="font-mono text-muted">{row.code.clone()}</bdi>
            <ModeBadge shadow=row.shadow_mode />
            <div class="row push">
                <a class="button" href=url::analytics(tenant, id)>
                    {messages::policy::ANALYTICS}
                </a>
                {policy
                    .is_deactivable()
                    .then(|| {
                        view! {
                            <a class="button" href=url::deactivate(tenant, id)>
                                {messages::policy::DEACTIVATE}
                            </a>
                        }
                    })}
                {policy.may_write.then(|| view! { <WriteActions policy=policy.clone() /> })}
            </div>
        </div>
        {policy.description.clone().map(|text| view! { <p class="intro">{text}</p> })}
        <div class="with-rail">
            <div class="stack">
                <ActiveVersion policy=policy.clone() />
                <Versions tenant policy=id versions=policy.versions.clone() />
            </div>
            <aside class="rail">
                <OpenVersion tenant policy=id version=open />
                <Facts policy />
            </aside>
        </div>
    }
}

/// The links to edit the policy and to open a draft, if none is open.
#[component]
fn WriteActions(policy: Policy) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let newest = policy.active().or(policy.versions.first()).map_or(0, |version| version.version);
    let draft = policy.open().is_none();
    view! {
        <a class="button" href=url::edit_policy(tenant, id)>
            {messages::policy_form::EDIT}
        </a>
        {draft.then(|| view! { <NewDraft tenant policy=id based_on=newest /> })}
    }
}

/// The button that opens a draft based on a version, or an empty draft if there is none.
#[component]
pub(super) fn NewDraft(tenant: TenantId, policy: PolicyId, based_on: u32) -> impl IntoView {
    view! {
        <form method="post" action=OpenDraft::url()>
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="policy" value=policy.to_string() />
            <input type="hidden" name="based_on" value=based_on />
            <button class="primary" data-key="n">
                {messages::editor::NEW_DRAFT}
            </button>
        </form>
    }
}

/// The active version, with its rules as sentences.
#[component]
fn ActiveVersion(policy: Policy) -> impl IntoView {
    let Some(version) = policy.active().cloned() else {
        return view! {
            <section class="card">
                <h2>{messages::policy::ACTIVE}</h2>
                <p class="text-muted">{messages::policy::NO_ACTIVE}</p>
            </section>
        }
        .into_any();
    };
    let href = url::version(policy.tenant, policy.row.id, version.version);
    let rules = count(policy.active_rules.len(), "rule", "rules");
    view! {
        <section class="card">
            <div class="card-head">
                <h2>{messages::policy::ACTIVE} " " <a href=href>"v" {version.version}</a></h2>
                <p class="text-muted text-xs">
                    {rules} ", " {messages::policy::SINCE} " " <Minute at=version.last.at />
                </p>
            </div>
            <RuleList rules=policy.active_rules />
        </section>
    }
    .into_any()
}

#[component]
fn OpenVersion(tenant: TenantId, policy: PolicyId, version: Option<VersionRow>) -> impl IntoView {
    let content = match version {
        None => view! { <p class="text-muted">{messages::policy::NO_DRAFT}</p> }.into_any(),
        Some(version) => view! {
            <p class="row">
                <a class="font-semibold" href=url::version(tenant, policy, version.version)>
                    "v"
                    {version.version}
                </a>
                <StatusBadge status=version.status />
                <span class="text-muted tabular-nums">"r" {version.revision}</span>
            </p>
            <p class="text-muted">{status_meaning(version.status)}</p>
        }
        .into_any(),
    };
    view! {
        <section class="card">
            <h2>{messages::policy::OPEN_DRAFT}</h2>
            {content}
        </section>
    }
}

#[component]
fn Facts(policy: Policy) -> impl IntoView {
    let types = policy.row.governed_types();
    let (by, at) = policy.created;
    let reference = |reference: String| {
        view! {
            <li>
                <bdi>{reference}</bdi>
            </li>
        }
    };
    let references = policy.regulatory_refs.into_iter().map(reference).collect::<Vec<_>>();
    let references_row = (!references.is_empty()).then(|| {
        fact(messages::policy::REGULATORY_REFS, view! { <ul class="plain-list">{references}</ul> })
    });
    view! {
        <section class="card">
            <h2>{messages::policy::ABOUT}</h2>
            <dl>
                {fact(messages::policy::GOVERNS, view! { <bdi>{types}</bdi> })} {references_row}
                <dt>{messages::policy::CREATED}</dt> <dd>
                    <MinuteBy at by />
                </dd>
            </dl>
        </section>
    }
}

/// All versions, newest first, each with its last event.
#[component]
fn Versions(tenant: TenantId, policy: PolicyId, versions: Vec<VersionRow>) -> impl IntoView {
    let item = move |version: VersionRow| {
        let href = url::version(tenant, policy, version.version);
        view! {
            <li>
                <div class="row">
                    <a class="font-semibold tabular-nums" href=href data-row="">
                        "v"
                        {version.version}
                    </a>
                    <StatusBadge status=version.status is_active=version.is_active />
                    <span class="text-muted text-xs">
                        {version.last.what.label()} " "
                        <MinuteBy at=version.last.at by=version.last.by />
                    </span>
                </div>
                {version.change_reason.map(|text| view! { <p class="text-muted">{text}</p> })}
            </li>
        }
    };
    let content = if versions.is_empty() {
        view! { <p class="text-muted">{messages::policy::NO_VERSIONS}</p> }.into_any()
    } else {
        view! { <ol class="timeline">{versions.into_iter().map(item).collect_view()}</ol> }
            .into_any()
    };
    view! {
        <section class="card">
            <h2>{messages::policy::VERSIONS}</h2>
            {content}
        </section>
    }
}
