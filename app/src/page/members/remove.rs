//! Removing a member: who it is, what happens to the person's API keys, and one press.

use leptos::{prelude::*, server_fn::ServerFn};

use super::keys::KeysField;
use crate::{
    api::member::{RemoveMember, read_member},
    page::params,
    text::{url, words},
    ui::{heading::Heading, load::load, problem::ProblemNote, time::Minute},
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
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: MemberPage) -> impl IntoView {
    use words::member as say;
    let MemberPage { tenant, row, keys, kept } = page;
    let says = if row.is_me { say::REMOVE_ME_SAYS } else { say::REMOVE_SAYS };
    view! {
        <div class="card sheet roomy stack">
            <Heading title=say::remove(&row.name)/>
            {kept.map(|kept| view! { <ProblemNote problem=kept.problem/> })}
            <dl class="facts">
                <dt>{say::EMAIL}</dt>
                <dd>
                    <bdi>{row.email}</bdi>
                </dd>
                <dt>{say::ROLE}</dt>
                <dd>{words::role(row.role)}</dd>
                <dt>{say::SINCE}</dt>
                <dd>
                    <Minute at=row.since/>
                </dd>
            </dl>
            <form method="post" action=RemoveMember::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=row.id.to_string()/>
                <p>{says}</p>
                <KeysField keys says=say::KEYS_OF_REMOVED/>
                <div class="row">
                    <button class="danger">{say::REMOVE}</button>
                </div>
            </form>
            <p>
                <a href=url::members(tenant)>{say::BACK}</a>
            </p>
        </div>
    }
}
