//! The start page: the user's tenants and invitations. With one tenant and no invitation, the server
//! redirects to that tenant.

use contract::session::TenantName;
use leptos::prelude::*;

use super::words;
use crate::{
    frame::view::TenantMembership,
    invitation::list::Invitations,
    sign_in::act::read_home,
    text::{messages, url},
    ui::{empty::Empty, heading::Heading, load::load, public::PublicFrame},
};

/// `/`
#[component]
pub(crate) fn HomePage() -> impl IntoView {
    let content = load(
        || (),
        |()| read_home(),
        |(memberships, required, invitations)| {
            let shows_memberships =
                !memberships.is_empty() || !required.is_empty() || invitations.is_empty();
            view! {
                <Invitations invitations />
                {shows_memberships.then(|| view! { <Memberships memberships required /> })}
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
fn Memberships(
    memberships: Vec<TenantMembership>,
    /// The tenants that require a second factor first.
    required: Vec<TenantName>,
) -> impl IntoView {
    if memberships.is_empty() && required.is_empty() {
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
    // The page of the tenant redirects to the page that adds a second factor.
    let required = required.into_iter().map(|tenant| {
        view! {
            <li>
                <a href=url::overview(tenant.tenant_id) data-row="">
                    <bdi class="font-semibold">{tenant.tenant_name}</bdi>
                    <span class="text-muted">{words::NEEDS_SECOND_FACTOR}</span>
                </a>
            </li>
        }
    });
    let required = required.collect_view();
    view! {
        <ul class="choices card">
            {memberships.into_iter().map(membership).collect_view()} {required}
        </ul>
    }
    .into_any()
}
