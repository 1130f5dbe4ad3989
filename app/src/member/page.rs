//! Members: the members, the open invitations, and the rights of each role.

mod invite;
mod keys;
mod remove;
mod role;
mod roles;

use contract::id::TenantId;
use leptos::prelude::*;

use self::{invite::InviteForm, roles::RoleTable};
pub(crate) use self::{remove::RemoveMemberPage, role::ChangeRolePage};
use super::{
    act::list_members,
    markup::MemberBadge,
    view::{MemberRow, MemberTab, MembersPage as MemberList},
};
use crate::{
    text::{messages, url},
    ui::{
        empty::Empty,
        heading::Heading,
        list::{Pager, table},
        list_page::ListPage,
        load::load,
        note::{Tone, note},
        one_time_secret::OneTimeSecretBox,
        params,
        tabs::{Tab, Tabs},
        time::Ago,
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
    let MemberList { tenant, tab, has_one_admin, rows: ListPage { items, newer, older }, .. } =
        page;
    if items.is_empty() {
        let (title, text) = (strings::NO_INVITATIONS, strings::NO_INVITATIONS_NEXT);
        return view! { <Empty title text /> }.into_any();
    }
    let caption = match tab {
        MemberTab::Invitations => strings::INVITATIONS,
        MemberTab::Members | MemberTab::Roles => strings::TITLE,
    };
    let path = url::members(tenant);
    let [newer, older] = [newer, older].map(|cursor| {
        cursor.map(|cursor| url::with_query(&path, &[("tab", tab.word()), ("cursor", &cursor)]))
    });
    let count = messages::shown(items.len(), "member", "members");
    let row = move |row: MemberRow| {
        let is_last_admin = has_one_admin && row.is_active_admin();
        view! { <Row tenant row is_last_admin /> }
    };
    view! {
        {table(caption, strings::HEAD, items, row)}
        <Pager newer older count />
    }
    .into_any()
}

#[component]
fn Row(tenant: TenantId, row: MemberRow, is_last_admin: bool) -> impl IntoView {
    use super::words::{HEAD, YOU};
    let own_badge = row.is_me.then(|| view! { <span class="status na">{YOU}</span> });
    let name = (row.name != row.email)
        .then(|| view! { <bdi class="font-semibold">{row.name.clone()}</bdi> });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                {name}
                <bdi class="text-muted">{row.email.clone()}</bdi>
                {own_badge}
            </th>
            <td data-label=HEAD[1]>{messages::role(row.role)}</td>
            <td data-label=HEAD[2]>
                <MemberBadge is_invited=row.is_invited />
            </td>
            <td data-label=HEAD[3]>
                <Ago at=row.since />
            </td>
            <td data-label=HEAD[4]>
                <Actions tenant row is_last_admin />
            </td>
        </tr>
    }
}

/// The actions for a member, or why there are none.
#[component]
fn Actions(tenant: TenantId, row: MemberRow, is_last_admin: bool) -> impl IntoView {
    use super::words as strings;
    if is_last_admin {
        return view! { <span class="text-muted">{strings::LAST_ADMIN}</span> }.into_any();
    }
    let remove = if row.is_invited {
        (strings::WITHDRAW, strings::withdraw(&row.email))
    } else {
        (strings::REMOVE, strings::remove(&row.email))
    };
    let change = (strings::CHANGE, strings::change(&row.email));
    let link = |href: String, (text, label): (&'static str, String)| {
        view! {
            <a class="button" href=href aria-label=label>
                {text}
            </a>
        }
    };
    view! {
        {link(url::change_role(tenant, row.id), change)}
        {link(url::remove_member(tenant, row.id), remove)}
    }
    .into_any()
}
