//! The start page: the user's tenants and invitations. With one tenant and no invitation, the server
//! redirects to that tenant.

use leptos::prelude::*;

use super::words;
use crate::{
    frame::view::TenantMembership,
    invitation::list::Invitations,
    sign_in::act::read_home,
    text::messages,
    ui::{empty::Empty, heading::Heading, load::load, public::PublicFrame},
};

/// `/`
#[component]
pub(crate) fn HomePage() -> impl IntoView {
    let content = load(
        || (),
        |()| read_home(),
        |(memberships, invitations)| {
            let shows_memberships = !memberships.is_empty() || invitations.is_empty();
            view! {
                <Invitations invitations />
                {shows_memberships.then(|| view! { <Memberships memberships /> })}
            }
            .into_any()
        },
    );
    view! {
        <PublicFrame>
            <Heading title=words::TITLE />
            {content}
        </PublicFrame>
    }
}

#[component]
fn Memberships(memberships: Vec<TenantMembership>) -> impl IntoView {
    if memberships.is_empty() {
        return view! { <Empty title=words::NO_TENANT text=words::ASK_AN_ADMIN /> }.into_any();
    }
    let membership = |membership: TenantMembership| {
        let href = membership.start();
        view! {
            <li>
                <a href=href data-row="">
                    <bdi class="font-semibold">{membership.name}</bdi>
                    <span class="text-muted">{messages::role(membership.role)}</span>
                </a>
            </li>
        }
    };
    view! { <ul class="choices card">{memberships.into_iter().map(membership).collect_view()}</ul> }
        .into_any()
}
