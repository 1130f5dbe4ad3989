//! Page that removes a member, and revokes or transfers the member's API keys.

use leptos::{prelude::*, server_fn::ServerFn};

use super::keys::KeysField;
use crate::{
    api::member::{RemoveMember, read_member},
    text::{messages, url},
    ui::{
        facts::fact,
        load::load,
        panel::{Panel, submit},
        params,
        time::Minute,
    },
    view::member::MemberPage,
};

/// `/t/{tenant}/members/{user}/remove`
#[component]
pub(crate) fn RemoveMemberPage() -> impl IntoView {
    let (tenant, user) = (params::tenant(), params::user());
    load(
        move || (tenant(), user()),
        async |(tenant, user)| read_member(tenant?, user?).await,
        |page| view! { <RemoveMemberContent page /> }.into_any(),
    )
}

#[component]
fn RemoveMemberContent(page: MemberPage) -> impl IntoView {
    use messages::member as strings;
    let seen = page.seen();
    let MemberPage { tenant, row, keys, rejected } = page;
    let help = if row.is_me { strings::REMOVE_ME_HELP } else { strings::REMOVE_HELP };
    view! {
        <Panel
            title=strings::remove(&row.name)
            problem=rejected.map(|rejected| rejected.problem)
            back=url::members(tenant)
            back_label=strings::BACK
        >
            <dl class="facts">
                {fact(strings::EMAIL, view! { <bdi>{row.email}</bdi> })}
                {fact(strings::ROLE, messages::role(row.role))}
                {fact(strings::SINCE, view! { <Minute at=row.since /> })}
            </dl>
            <form method="post" action=RemoveMember::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=row.id.to_string() />
                <input type="hidden" name="seen" value=seen />
                <p>{help}</p>
                <KeysField keys help=strings::KEYS_OF_REMOVED />
                {submit("danger", strings::REMOVE)}
            </form>
        </Panel>
    }
}
