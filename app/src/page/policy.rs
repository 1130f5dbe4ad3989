//! The page of one policy.

use contract::{policy::VersionStage, text::isolated};
use leptos::prelude::*;

use super::version::NewDraft;
use crate::{
    api::policy::read_policy,
    markup::quote::quote,
    text::{
        messages::{self, policy::page as strings},
        number::counted,
        url,
        verdict::stage_meaning,
    },
    ui::{
        badge::{ModeBadge, StageBadge},
        facts::fact,
        heading::Heading,
        load::load,
        panel::Crumb,
        params,
        rule::{RuleList, RulePages},
        time::{Minute, MinuteBy},
    },
    view::{
        policy::{PolicyPage as Policy, Step, VersionRow},
        rule::RulePosition,
    },
};

/// `/t/{tenant}/policies/{policy}`
#[component]
pub(crate) fn PolicyPage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::policy());
    let (tab, number, code) = (params::query("tab"), params::query("rules"), params::query("rule"));
    let position = move || RulePosition { number: number(), code: code() };
    load(
        move || (tenant(), id(), tab(), position()),
        async |(tenant, id, tab, position)| {
            let position = (tab == "rules").then_some(position);
            Ok((read_policy(tenant?, id?, position).await?, tab))
        },
        |(policy, tab)| view! { <PolicyContent policy tab /> }.into_any(),
    )
}

#[component]
fn PolicyContent(policy: Policy, tab: String) -> impl IntoView {
    let content = match &*tab {
        "rules" => view! { <Rules policy=policy.clone() /> }.into_any(),
        "versions" => view! { <Versions policy=policy.clone() /> }.into_any(),
        _ => view! { <Overview policy=policy.clone() /> }.into_any(),
    };
    view! {
        <Head policy=policy.clone() />
        <Tabs policy tab />
        {content}
    }
}

#[component]
fn Head(policy: Policy) -> impl IntoView {
    let Policy { tenant, ref row, .. } = policy;
    let name = row.name.clone();
    let inner = row.group.clone().map(|(id, name)| (url::group(tenant, id), name));
    let crumb = match inner {
        Some(inner) => {
            view! { <Crumb href=url::policies(tenant) label=messages::policies::TITLE inner /> }
                .into_any()
        }
        None => view! { <Crumb href=url::policies(tenant) label=messages::policies::TITLE /> }
            .into_any(),
    };
    let active = policy.active().map(|version| {
        view! {
            <StageBadge stage=VersionStage::Active />
            <span class="tabular-nums">"v" {version.version}</span>
        }
    });
    let description = policy.description.clone().map(|text| {
        view! {
            <p class="intro">
                <bdi>{text}</bdi>
            </p>
        }
    });
    view! {
        {crumb}
        <div class="page-head">
            <Heading title=isolated(&name)>
                <bdi>{name}</bdi>
            </Heading>
            <bdi class="font-mono text-muted">{row.code.clone()}</bdi>
            {active}
            <ModeBadge shadow=row.shadow_mode />
            <div class="row push">
                <MainAction policy=policy.clone() />
                <More policy />
            </div>
        </div>
        {description}
    }
}

/// The next step: a new draft, or the version that is open.
#[component]
fn MainAction(policy: Policy) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let Some(open) = policy.open() else {
        let newest = policy.active().or(policy.versions.first());
        let based_on = newest.map_or(0, |version| version.version);
        return policy
            .may_write
            .then(|| view! { <NewDraft tenant policy=id based_on /> })
            .into_any();
    };
    let (href, label) = if open.is_draft && policy.may_write {
        (url::edit_version(tenant, id, open.version), messages::editor::edit(open.version))
    } else {
        (url::version(tenant, id, open.version), strings::open(open.version))
    };
    view! {
        <a class="button primary" href=href>
            {label}
        </a>
    }
    .into_any()
}

/// The other actions.
#[component]
fn More(policy: Policy) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let edit =
        policy.may_write.then(|| (url::edit_policy(tenant, id), messages::policy_form::EDIT));
    let deactivate = policy
        .is_deactivable()
        .then(|| (url::deactivate(tenant, id), messages::policy::DEACTIVATE));
    let attempt = policy.may_try.then(|| (url::try_page(tenant), strings::TRY));
    let links: Vec<_> = [attempt, edit, deactivate].into_iter().flatten().collect();
    let link = |(href, label): (String, &'static str)| {
        view! {
            <li>
                <a href=href>{label}</a>
            </li>
        }
    };
    (!links.is_empty()).then(|| {
        view! {
            <details class="filter-menu end">
                <summary class="button">{messages::MORE}</summary>
                <ul class="filter-panel plain-list">
                    {links.into_iter().map(link).collect_view()}
                </ul>
            </details>
        }
    })
}

#[component]
fn Tabs(policy: Policy, tab: String) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let current = match &*tab {
        "rules" | "versions" => &*tab,
        _ => "",
    };
    let link = |name: &str, label: &'static str, number: Option<usize>| {
        let number = number.map(|number| {
            let number = counted(u64::try_from(number).unwrap_or(u64::MAX));
            view! {
                " "
                <span class="tabular-nums text-muted">{number}</span>
            }
        });
        view! {
            <a
                href=url::policy_tab(tenant, id, name)
                aria-current=(current == name).then_some("page")
            >
                {label}
                {number}
            </a>
        }
    };
    view! {
        <nav class="tabs" aria-label=strings::TABS>
            {link("", strings::OVERVIEW, None)}
            {link("rules", strings::RULES, Some(rule_count(&policy)))}
            {link("versions", strings::VERSIONS, Some(policy.versions.len()))}
            <a href=url::decisions_by(tenant, id)>{strings::DECISIONS}</a>
            <a href=url::analytics(tenant, id)>{messages::policy::ANALYTICS}</a>
        </nav>
    }
}

#[component]
fn Overview(policy: Policy) -> impl IntoView {
    view! {
        <div class="with-rail">
            <div class="stack">
                <OpenVersion policy=policy.clone() />
                <ActiveVersion policy=policy.clone() />
            </div>
            <aside class="rail">
                <Facts policy />
            </aside>
        </div>
    }
}

/// Returns the number of rules of the active version.
fn rule_count(policy: &Policy) -> usize {
    usize::try_from(policy.active_rules.total).unwrap_or(usize::MAX)
}

/// The heading of the active version, with a link to it.
fn active_heading(policy: &Policy, version: &VersionRow) -> AnyView {
    let href = url::version(policy.tenant, policy.row.id, version.version);
    let rules = policy.active_rules.count();
    view! {
        <div class="card-head">
            <h2>{messages::policy::ACTIVE} " " <a href=href>"v" {version.version}</a></h2>
            <p class="text-muted text-xs">
                {rules} ", " {messages::policy::SINCE} " " <Minute at=version.last.at />
            </p>
        </div>
    }
    .into_any()
}

#[component]
fn NoActiveVersion() -> impl IntoView {
    view! {
        <section class="card">
            <h2>{messages::policy::ACTIVE}</h2>
            <p class="text-muted">{messages::policy::NO_ACTIVE}</p>
        </section>
    }
}

/// The active version with its first rules as sentences.
#[component]
fn ActiveVersion(policy: Policy) -> impl IntoView {
    let Some(version) = policy.active() else {
        return view! { <NoActiveVersion /> }.into_any();
    };
    let heading = active_heading(&policy, version);
    let (tenant, id) = (policy.tenant, policy.row.id);
    let more = rule_count(&policy).saturating_sub(policy.active_rules.rules.len());
    let more = (more > 0).then(|| {
        view! {
            <p>
                <a class="button" href=url::policy_tab(tenant, id, "rules")>
                    {strings::more_rules(more)}
                </a>
            </p>
        }
    });
    let rules = policy.active_rules.rules;
    view! { <section class="card">{heading} <RuleList rules /> {more}</section> }.into_any()
}

/// All rules of the active version.
#[component]
fn Rules(policy: Policy) -> impl IntoView {
    let Some(version) = policy.active() else {
        return view! { <NoActiveVersion /> }.into_any();
    };
    let heading = active_heading(&policy, version);
    let path = url::policy_tab(policy.tenant, policy.row.id, "rules");
    view! { <section class="card">{heading} <RulePages path page=policy.active_rules /></section> }
        .into_any()
}

#[component]
fn OpenVersion(policy: Policy) -> impl IntoView {
    let content = match policy.open().cloned() {
        None => view! { <p class="text-muted">{strings::NO_DRAFT}</p> }.into_any(),
        Some(version) => {
            let href = url::version(policy.tenant, policy.row.id, version.version);
            view! {
                <p class="row">
                    <a class="font-semibold" href=href>
                        "v"
                        {version.version}
                    </a>
                    <StageBadge stage=version.stage />
                    <span class="text-muted tabular-nums">"r" {version.revision}</span>
                </p>
                <p class="text-muted">{stage_meaning(version.stage)}</p>
                {version.change_reason.map(quote)}
                <p class="text-muted text-xs">
                    {version.last.what.label()} " "
                    <MinuteBy at=version.last.at by=version.last.by />
                </p>
            }
            .into_any()
        }
    };
    view! {
        <section class="card">
            <h2>{strings::OPEN_DRAFT}</h2>
            {content}
        </section>
    }
}

#[component]
fn Facts(policy: Policy) -> impl IntoView {
    let types = policy.row.governed_types();
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
                {fact(messages::policy::GOVERNS, view! { <bdi>{types}</bdi> })} {group}
                {references_row} <dt>{strings::CREATED}</dt> <dd>
                    <MinuteBy at by />
                </dd>
            </dl>
        </section>
    }
}

/// All versions with their events and reviews, newest first.
#[component]
fn Versions(policy: Policy) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let version = move |version: VersionRow| {
        let href = url::version(tenant, id, version.version);
        view! {
            <li>
                <div class="row">
                    <a class="font-semibold tabular-nums" href=href data-row="">
                        "v"
                        {version.version}
                    </a>
                    <StageBadge stage=version.stage />
                </div>
                {version
                    .change_reason
                    .map(|text| {
                        view! {
                            <p class="text-muted">
                                <bdi>{text}</bdi>
                            </p>
                        }
                    })}
                <ul class="plain-list text-muted text-xs">
                    {version.steps.into_iter().map(step).collect_view()}
                </ul>
            </li>
        }
    };
    let compare = match policy.versions.as_slice() {
        [newest, _, ..] => Some(url::compare(tenant, id, newest.version)),
        _ => None,
    };
    let compare = compare.map(|href| view! { <a href=href>{messages::policy::COMPARE}</a> });
    let content = if policy.versions.is_empty() {
        view! { <p class="text-muted">{strings::NO_VERSIONS}</p> }.into_any()
    } else {
        let versions = policy.versions.into_iter().map(version).collect_view();
        view! { <ol class="timeline">{versions}</ol> }.into_any()
    };
    view! {
        <section class="card">
            <div class="card-head">
                <h2>{strings::VERSIONS}</h2>
                {compare}
            </div>
            {content}
        </section>
    }
}

fn step(step: Step) -> impl IntoView {
    view! { <li>{step.what.label()} " " <MinuteBy at=step.at by=step.by /></li> }
}
