//! Members: the list, the form that invites somebody, and the only sight of a new account's link.

mod invite;
#[cfg(feature = "ssr")]
mod keys;
#[cfg(feature = "ssr")]
mod remove;
#[cfg(feature = "ssr")]
mod role;

use contract::id::TenantId;
use leptos::prelude::*;

use self::invite::InviteForm;
#[cfg(feature = "ssr")]
pub(crate) use self::{remove::RemoveMemberPage, role::ChangeRolePage};
use super::params;
use crate::{
    api::member::list_members,
    text::{url, words},
    ui::{heading::Heading, load::load, shown_once::ShownOnce, time::Second},
    view::{
        kept::Made,
        member::{MemberRow, MembersPage as Shown},
    },
};

/// `/t/{tenant}/members`
#[component]
pub(crate) fn MembersPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    let page = Resource::new(
        move || (tenant(), cursor()),
        async |(tenant, cursor)| list_members(tenant?, cursor).await,
    );
    view! { {load(page, |page| view! { <List page/> }.into_any())} }
}

#[component]
fn List(page: Shown) -> impl IntoView {
    let tenant = page.tenant;
    let older = page.rows.next_cursor.map(|cursor| {
        let href = url::with_query(&url::members(tenant), &[("cursor", &cursor)]);
        view! { <a class="button" href=href>{words::OLDER}</a> }
    });
    view! {
        <Heading title=words::member::TITLE/>
        {page.made.map(|made| view! { <Link tenant made/> })}
        <InviteForm tenant refused=page.refused/>
        <Rows tenant rows=page.rows.items/>
        {older}
    }
}

/// The link, this once.
#[component]
fn Link(tenant: TenantId, made: Made) -> impl IntoView {
    view! {
        <ShownOnce
            says=words::member::made(&made.name)
            secret=made.secret
            what=words::member::LINK
            note=words::member::LINK_SAYS
            page=url::members(tenant)
            done=words::member::HANDED_OVER
        />
    }
}

#[component]
fn Rows(tenant: TenantId, rows: Vec<MemberRow>) -> impl IntoView {
    let row = move |row| view! { <Row tenant row/> };
    view! {
        <table class="list">
            <caption class="sr-only">{words::member::TITLE}</caption>
            <thead>
                <tr>{words::member::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Row(tenant: TenantId, row: MemberRow) -> impl IntoView {
    use words::member::HEAD;
    let me = row.is_me.then(|| view! { <span class="badge na">{words::member::ME}</span> });
    let change = words::member::change(&row.email);
    let invited =
        row.is_invited.then(|| view! { <span class="badge na">{words::member::INVITED}</span> });
    let label = words::member::remove(&row.email);
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <bdi class="font-semibold">{row.name.clone()}</bdi>
                <bdi class="text-muted">{row.email.clone()}</bdi>
                {me}
                {invited}
            </th>
            <td data-label=HEAD[1]>{words::role(row.role)}</td>
            <td data-label=HEAD[2]>
                <Second at=row.since/>
            </td>
            <td data-label=HEAD[3]>
                <a class="button" href=url::change_role(tenant, row.id) aria-label=change>
                    {words::member::CHANGE}
                </a>
                <a class="button" href=url::remove_member(tenant, row.id) aria-label=label>
                    {words::member::REMOVE}
                </a>
            </td>
        </tr>
    }
}
