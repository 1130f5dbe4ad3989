//! Page that removes a member, and revokes or transfers the member's API keys.

use leptos::{prelude::*, server_fn::ServerFn};

use super::keys::KeysField;
use crate::{
    api::member::{RemoveMember, read_member},
    text::{messages, url},
    ui::{heading::Heading, load::load, params, problem::ProblemNote, time::Minute},
    view::member::MemberPage,
};

/// `/t/{tenant}/members/{user}/remove`
#[component]
pub(crate) fn RemoveMemberPage() -> impl IntoView {
    let (tenant, user) = (params::tenant(), params::user());
    let page = Resource::new(
        move || (tenant(), user()),
        async |(tenant, user)| read_member(tenant?, user?).await,
    );
    view! { {load(page, |page| view! { <RemoveMemberContent page /> }.into_any())} }
}

#[component]
fn RemoveMemberContent(page: MemberPage) -> impl IntoView {
    use messages::member as strings;
    let seen = page.seen();
    let MemberPage { tenant, row, keys, rejected } = page;
    let help = if row.is_me { strings::REMOVE_ME_HELP } else { strings::REMOVE_HELP };
    view! {
        <div class="card panel roomy stack">
            <Heading title=strings::remove(&row.name) />
            {rejected.map(|rejected| view! { <ProblemNote problem=rejected.problem /> })}
            <dl class="facts">
                <dt>{strings::EMAIL}</dt>
                <dd>
                    <bdi>{row.email}</bdi>
                </dd>
                <dt>{strings::ROLE}</dt>
                <dd>{messages::role(row.role)}</dd>
                <dt>{strings::SINCE}</dt>
                <dd>
                    <Minute at=row.since />
                </dd>
            </dl>
            <form method="post" action=RemoveMember::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=row.id.to_string() />
                <input type="hidden" name="seen" value=seen />
                <p>{help}</p>
                <KeysField keys help=strings::KEYS_OF_REMOVED />
                <div class="row">
                    <button class="danger">{strings::REMOVE}</button>
                </div>
            </form>
            <p>
                <a href=url::members(tenant)>{strings::BACK}</a>
            </p>
        </div>
    }
}
