//! Members: the members, the open invitations, and the rights of each role.

mod invite;
mod keys;
mod remove;
mod reset;
mod role;
mod roles;

use contract::{id::TenantId, time::Timestamp};
use leptos::prelude::*;

use self::{invite::InviteForm, roles::RoleTable};
pub(crate) use self::{remove::RemoveMemberPage, reset::ResetFactorsPage, role::ChangeRolePage};
use super::{
    act::list_members,
    markup::MemberBadge,
    view::{MemberFactors, MemberRow, MemberTab, MembersPage as MemberList},
};
use crate::{
    text::{messages, url},
    ui::{
        empty::Empty,
        heading::Heading,
        list::{Pager, table},
        list_page::ListPage,
        load::load,
        menu::initials,
        note::{Tone, note},
        one_time_secret::OneTimeSecretBox,
        params,
        tabs::{Tab, Tabs},
        time::{Age, Day},
    },
};

/// `/t/{tenant}/members`
#[component]
pub(crate) fn MembersPage() -> impl IntoView {
    let tenant = params::tenant();
    let (tab, cursor) = (params::query("tab"), params::query("cursor"));
    load(
        move || (tenant(), tab(), cursor()),
        async |(tenant, tab, cursor)| list_members(tenant?, MemberTab::read(&tab), cursor).await,
        |page| view! { <MembersContent page /> }.into_any(),
    )
}

#[component]
fn MembersContent(page: MemberList) -> impl IntoView {
    use super::words as strings;
    let (tenant, current) = (page.tenant, page.tab);
    let [members, invited] = page.counts;
    let tab = |tab: MemberTab, label, count| Tab {
        href: url::members_tab(tenant, tab.word()),
        label,
        count,
        is_current: tab == current,
    };
    let tabs = vec![
        tab(MemberTab::Members, strings::TITLE, Some(members)),
        tab(MemberTab::Invitations, strings::INVITATIONS, Some(invited)),
        tab(MemberTab::Roles, strings::ROLES_TAB, None),
    ];
    let link = page.secret.clone().map(|link| {
        view! {
            <OneTimeSecretBox
                title=strings::setup_link_notice(&link.name)
                secret=link.secret
                what=strings::LINK
                note=strings::LINK_HELP
                page=url::members(tenant)
                done=strings::LINK_COPIED
            />
        }
    });
    let notice = page.notice.clone().map(|text| note(Tone::Allow, Some("status"), text));
    let rejected = page.refused.clone();
    let content = match current {
        MemberTab::Roles => view! { <RoleTable /> }.into_any(),
        MemberTab::Members | MemberTab::Invitations => view! {
            <InviteForm tenant rejected />
            <List page />
        }
        .into_any(),
    };
    view! {
        <div class="page-head">
            <Heading title=strings::TITLE />
        </div>
        <p class="intro">{strings::INTRO}</p>
        <Tabs label=strings::TITLE tabs />
        {link}
        {notice}
        {content}
    }
}

/// The members or the invitations.
#[component]
fn List(page: MemberList) -> impl IntoView {
    use super::words as strings;
    let MemberList { tenant, tab, has_one_admin, now, rows, .. } = page;
    let ListPage { items, newer, older } = rows;
    if items.is_empty() {
        let (title, text) = (strings::NO_INVITATIONS, strings::NO_INVITATIONS_NEXT);
        return view! { <Empty title text /> }.into_any();
    }
    let (caption, head, help) = match tab {
        MemberTab::Invitations => (strings::INVITATIONS, strings::INVITATIONS_HEAD, None),
        MemberTab::Members | MemberTab::Roles => {
            (strings::TITLE, strings::HEAD, Some(strings::LAST_ACTIVE_HELP))
        }
    };
    let path = url::members(tenant);
    let [newer, older] = [newer, older].map(|cursor| {
        cursor.map(|cursor| url::with_query(&path, &[("tab", tab.word()), ("cursor", &cursor)]))
    });
    let count = match tab {
        MemberTab::Invitations => messages::shown(items.len(), "invitation", "invitations"),
        MemberTab::Members | MemberTab::Roles => messages::shown(items.len(), "member", "members"),
    };
    let row = move |row: MemberRow| {
        let is_last_admin = has_one_admin && row.is_active_admin();
        view! { <Row tenant now head row is_last_admin /> }
    };
    view! {
        {table(caption, head, items, row)}
        {help.map(|help| view! { <p class="text-xs text-muted">{help}</p> })}
        <Pager newer older count />
    }
    .into_any()
}

#[component]
fn Row(
    tenant: TenantId,
    now: Timestamp,
    head: [&'static str; 5],
    row: MemberRow,
    is_last_admin: bool,
) -> impl IntoView {
    use super::words::{NO_ACTIVITY, SECOND_FACTOR, YOU};
    let (is_me, has_factor) = (row.is_me, row.factors != MemberFactors::None);
    let own_badge = || is_me.then(|| view! { <span class="tag">{YOU}</span> });
    let is_named = row.name != row.email;
    let name = is_named.then(|| view! { <bdi class="font-semibold">{row.name.clone()}</bdi> });
    let email_class = if is_named { "block text-xs text-muted" } else { "font-semibold" };
    let active = match row.last_active {
        _ if row.is_invited => view! { <MemberBadge is_invited=true /> }.into_any(),
        Some(at) => view! { <Age at now /> }.into_any(),
        None => NO_ACTIVITY.into_any(),
    };
    view! {
        <tr>
            <th scope="row" data-label=head[0]>
                <span class="member">
                    <span class="avatar" aria-hidden="true">
                        {initials(&row.name)}
                    </span>
                    <span>
                        {name} " " {is_named.then(own_badge)}
                        <bdi class=email_class>{row.email.clone()}</bdi> " "
                        {(!is_named).then(own_badge)} " "
                        {has_factor.then(|| view! { <span class="tag">{SECOND_FACTOR}</span> })}
                    </span>
                </span>
            </th>
            <td data-label=head[1]>{messages::role(row.role)}</td>
            <td data-label=head[2] class="text-muted">
                {active}
            </td>
            <td data-label=head[3] class="text-muted">
                <Day at=row.since />
            </td>
            <td data-label=head[4]>
                <Actions tenant row is_last_admin />
            </td>
        </tr>
    }
}

/// The menu of the actions for a member, or why there are none.
#[component]
fn Actions(tenant: TenantId, row: MemberRow, is_last_admin: bool) -> impl IntoView {
    use super::words as strings;
    if is_last_admin {
        return view! { <span class="text-muted">{strings::LAST_ADMIN}</span> }.into_any();
    }
    let (text, label) = if row.is_invited {
        (strings::WITHDRAW, strings::withdraw(&row.email))
    } else {
        (strings::REMOVE, strings::remove(&row.email))
    };
    let reset = (row.factors == MemberFactors::Resettable).then(|| {
        view! {
            <a
                class="button quiet"
                href=url::reset_second_factors(tenant, row.id)
                aria-label=strings::reset(&row.email)
            >
                {strings::RESET}
            </a>
        }
    });
    view! {
        {reset}
        <a
            class="button quiet"
            href=url::change_role(tenant, row.id)
            aria-label=strings::change(&row.email)
        >
            {strings::CHANGE}
        </a>
        <a class="button quiet" href=url::remove_member(tenant, row.id) aria-label=label>
            {text}
        </a>
    }
    .into_any()
}
