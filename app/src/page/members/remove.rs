//! Taking a member out of the tenant: who it is, what follows, and one press.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::member::{RemoveMember, read_member},
    page::params,
    text::{url, words},
    ui::{heading::Heading, load::load, problem::ProblemNote, time::Minute},
    view::{kept::Kept, member::MemberRow},
};

/// `/t/{tenant}/members/{user}/remove`
#[component]
pub(crate) fn RemoveMemberPage() -> impl IntoView {
    let (tenant, user) = (params::tenant(), params::user());
    let row = Resource::new(
        move || (tenant(), user()),
        async |(tenant, user)| {
            let tenant = tenant?;
            let (row, kept) = read_member(tenant, user?).await?;
            Ok((tenant, row, kept))
        },
    );
    view! { {load(row, |(tenant, row, kept)| view! { <Sheet tenant row kept/> }.into_any())} }
}

#[component]
fn Sheet(tenant: TenantId, row: MemberRow, kept: Option<Kept>) -> impl IntoView {
    use words::member as say;
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
