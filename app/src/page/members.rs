//! Members: the list, the form to invite a user, and the one-time display of a new account's setup link.

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
use crate::{
    api::member::list_members,
    text::{messages, url},
    ui::{
        heading::Heading,
        list::{older_than, table},
        load::load,
        one_time_secret::OneTimeSecretBox,
        params,
        time::Second,
    },
    view::member::{MemberRow, MembersPage as MemberList},
};

/// `/t/{tenant}/members`
#[component]
pub(crate) fn MembersPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    load(
        move || (tenant(), cursor()),
        async |(tenant, cursor)| list_members(tenant?, cursor).await,
        |page| view! { <MembersContent page /> }.into_any(),
    )
}

#[component]
fn MembersContent(page: MemberList) -> impl IntoView {
    let tenant = page.tenant;
    let older = older_than(&url::members(tenant), page.rows.next_cursor);
    let link = page.secret.map(|link| {
        view! {
            <OneTimeSecretBox
                title=messages::member::setup_link_notice(&link.name)
                secret=link.secret
                what=messages::member::LINK
                note=messages::member::LINK_HELP
                page=url::members(tenant)
                done=messages::member::LINK_COPIED
            />
        }
    });
    view! {
        <Heading title=messages::member::TITLE />
        {link}
        <InviteForm tenant rejected=page.refused />
        {table(
            messages::member::TITLE,
            messages::member::HEAD,
            page.rows.items,
            move |row| view! { <Row tenant row /> },
        )}
        {older}
    }
}

#[component]
fn Row(tenant: TenantId, row: MemberRow) -> impl IntoView {
    use messages::member::HEAD;
    let own_badge =
        row.is_me.then(|| view! { <span class="badge na">{messages::member::YOU}</span> });
    let change_label = messages::member::change(&row.email);
    let invited_badge =
        row.is_invited.then(|| view! { <span class="badge na">{messages::member::INVITED}</span> });
    let remove_label = messages::member::remove(&row.email);
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <bdi class="font-semibold">{row.name.clone()}</bdi>
                <bdi class="text-muted">{row.email.clone()}</bdi>
                {own_badge}
                {invited_badge}
            </th>
            <td data-label=HEAD[1]>{messages::role(row.role)}</td>
            <td data-label=HEAD[2]>
                <Second at=row.since />
            </td>
            <td data-label=HEAD[3]>
                <a class="button" href=url::change_role(tenant, row.id) aria-label=change_label>
                    {messages::member::CHANGE}
                </a>
                <a class="button" href=url::remove_member(tenant, row.id) aria-label=remove_label>
                    {messages::member::REMOVE}
                </a>
            </td>
        </tr>
    }
}
