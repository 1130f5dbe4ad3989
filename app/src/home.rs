//! The start page: the user's tenants and invitations. With one tenant and no invitation, the server
//! redirects to that tenant.

use contract::session::TenantName;
use governance::access::session;
use page_kit::prelude::*;

use crate::{
    frame::view::{TenantMembership, memberships},
    invitation,
};

/// `/`
pub(crate) async fn home() -> PageResult {
    let content = page::or_problem(content().await);
    Ok(any_view! {
        <PublicFrame>
            <Heading title="Choose a tenant" />
            {content}
        </PublicFrame>
    })
}

async fn content() -> PageResult {
    let signed_in = request::signed_in("/")?;
    let session = session::session_info(&request::governance(), &signed_in).await?;
    let memberships = memberships(&session);
    let required = session.second_factor_required;
    let invitations = request::invitations(&signed_in).await?;
    match (&*memberships, &*required, &*invitations) {
        ([only], [], []) => request::redirect(&only.start()),
        ([], [only], []) => request::redirect(&url::overview(only.tenant_id)),
        _ => {}
    }
    let shows_tenants = !memberships.is_empty() || !required.is_empty() || invitations.is_empty();
    Ok(any_view! {
        {invitation::card(invitations)}
        {shows_tenants.then(|| tenants(memberships, required))}
    })
}

/// Renders the tenants of the user, and those that require a second factor first.
fn tenants(memberships: Vec<TenantMembership>, required: Vec<TenantName>) -> AnyView {
    if memberships.is_empty() && required.is_empty() {
        let title = "You are not a member of any tenant.";
        return empty_state(title, "Ask an admin to invite you.");
    }
    let row = |href: String, name: String, note: &'static str| {
        view! {
            <li>
                <a href=href data-row="">
                    <bdi class="font-semibold">{name}</bdi>
                    <span class="text-muted">{note}</span>
                </a>
            </li>
        }
    };
    let memberships = memberships.into_iter().map(|membership| {
        let start = membership.start();
        row(start, membership.name, messages::role(membership.role))
    });
    // The page of the tenant redirects to the page that adds a second factor.
    let required = required.into_iter().map(|tenant| {
        row(url::overview(tenant.tenant_id), tenant.tenant_name, "Requires a second factor")
    });
    any_view! { <ul class="choices card">{memberships.chain(required).collect_view()}</ul> }
}
