//! The page of one policy.

mod active;
mod lifecycle;
mod overview;
mod versions;

use contract::{policy::VersionStage, text::isolated};
use leptos::prelude::*;

use self::{
    active::{Rules, rule_count},
    overview::Overview,
    versions::Versions,
};
use super::{
    act::read_policy,
    list_words,
    markup::ModeBadge,
    view::PolicyPage as Policy,
    words::{self, page as strings},
};
use crate::{
    editor::words as editor_words,
    review::words as review_words,
    rule::view::RulePosition,
    text::{number::counted, url},
    ui::{
        action_menu::{ActionLink, ActionMenu},
        badge::StageBadge,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        note::undo_notice,
        panel::Crumb,
        params,
    },
    version::page::NewDraft,
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
        {policy.deleted.map(|_| undo_notice(strings::DRAFT_DELETED, ()))}
        <Tabs policy tab />
        {content}
    }
}

#[component]
fn Head(policy: Policy) -> impl IntoView {
    let Policy { tenant, ref row, .. } = policy;
    let (name, code) = (row.name.clone(), row.code.clone());
    let inner = row.group.clone().map(|(id, name)| (url::group(tenant, id), name));
    let crumb = match inner {
        Some(inner) => {
            view! { <Crumb href=url::policies(tenant) label=list_words::TITLE inner code /> }
                .into_any()
        }
        None => {
            view! { <Crumb href=url::policies(tenant) label=list_words::TITLE code /> }.into_any()
        }
    };
    let active = policy.active().map(|version| {
        view! {
            <StageBadge stage=VersionStage::Active />
            <span class="tabular-nums">"v" {version.version}</span>
        }
    });
    let attempt = policy.may_try.then(|| {
        view! {
            <a class="button" href=url::try_page(tenant)>
                {icon(Icon::Try)}
                {strings::TRY}
            </a>
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
            {active}
            <ModeBadge shadow=row.shadow_mode />
            <div class="row push">
                {attempt} <MainAction policy=policy.clone() /> <More policy />
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
            .then(|| view! { <NewDraft tenant policy=id based_on is_main=true /> })
            .into_any();
    };
    let (href, label) = if open.is_draft && policy.may_write {
        (url::edit_version(tenant, id, open.version), editor_words::edit(open.version))
    } else if open.stage == VersionStage::WaitingForReview {
        (url::review(tenant, id, open.version), review_words::open(open.version))
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
        policy.may_write.then(|| ActionLink::new(url::edit_policy(tenant, id), "Edit details"));
    let deactivate = policy
        .is_deactivable()
        .then(|| ActionLink::new(url::deactivate(tenant, id), words::DEACTIVATE));
    let links: Vec<_> = [edit, deactivate].into_iter().flatten().collect();
    view! { <ActionMenu links /> }
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
            <a href=url::analytics(tenant, id)>{words::ANALYTICS}</a>
        </nav>
    }
}
