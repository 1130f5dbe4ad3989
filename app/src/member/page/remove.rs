//! Page that removes a member, and revokes or transfers the member's API keys, or withdraws an invitation.

use leptos::{prelude::*, server_fn::ServerFn};

use super::keys::KeysField;
use crate::{
    member::{
        act::{RemoveMember, read_member},
        view::{MemberPage, MemberTab},
    },
    text::{messages, url},
    ui::{
        facts::fact,
        load::load,
        panel::{Panel, submit},
        params,
        time::Minute,
    },
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
    use crate::member::words as strings;
    let seen = page.seen();
    let MemberPage { tenant, row, keys, rejected } = page;
    let (title, help, label, tab) = if row.is_invited {
        let title = strings::withdraw(&row.name);
        (title, strings::WITHDRAW_HELP, strings::WITHDRAW_INVITATION, MemberTab::Invitations)
    } else {
        let help = if row.is_me { strings::REMOVE_ME_HELP } else { strings::REMOVE_HELP };
        (strings::remove(&row.name), help, strings::REMOVE_MEMBER, MemberTab::Members)
    };
    let unchanged = (!row.is_invited).then(|| view! { <p>{strings::REMOVE_UNCHANGED}</p> });
    view! {
        <Panel
            title
            problem=rejected.map(|rejected| rejected.problem)
            back=url::members_tab(tenant, tab.word())
            back_label=strings::BACK
            is_confirmation=true
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
                <input type="hidden" name="tab" value=tab.word() />
                <p>{help}</p>
                <KeysField keys help=strings::keys_of_removed />
                {unchanged}
                {submit("danger", label)}
            </form>
        </Panel>
    }
}
