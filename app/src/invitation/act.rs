//! Invitations to tenants: accept and decline.

use contract::id::TenantId;
use leptos::prelude::server;

use super::view::Invitation;
use crate::{codec::JsonCodec, flash::RejectedForm, problem::Problem};

/// Returns the invitations of the signed-in user, and why the last response was rejected.
#[server(prefix = "/console", endpoint = "invitations", output = JsonCodec)]
pub(crate) async fn read_invitations() -> Result<(Vec<Invitation>, Option<RejectedForm>), Problem> {
    use crate::request;
    use crate::text::url;
    let signed_in = request::signed_in(url::INVITATIONS)?;
    let invitations = request::invitations(&signed_in).await?;
    Ok((invitations, request::take_rejected(url::INVITATIONS).await))
}

/// Accepts the invitation of a tenant and redirects to it.
#[server(prefix = "/console", endpoint = "accept-invitation", output = JsonCodec)]
pub(crate) async fn accept_invitation(tenant: TenantId) -> Result<(), Problem> {
    use crate::request;
    use crate::{frame::view::TenantMembership, text::url};
    let signed_in = request::signed_in(url::INVITATIONS)?;
    let cx = request::governance().public(request::correlation_id());
    let accepted = governance::access::account::invitation::accept(&cx, &signed_in, tenant).await;
    match request::into_problem(accepted) {
        Ok(membership) => {
            let name = membership.tenant_name;
            request::redirect(&TenantMembership { tenant, name, role: membership.role }.start());
            Ok(())
        }
        Err(problem) => {
            request::set_rejected(problem, url::INVITATIONS.to_owned(), String::new()).await
        }
    }
}

/// Declines the invitation of a tenant and redirects to the other invitations.
#[server(prefix = "/console", endpoint = "decline-invitation", output = JsonCodec)]
pub(crate) async fn decline_invitation(tenant: TenantId) -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let signed_in = request::signed_in(url::INVITATIONS)?;
    let cx = request::governance().public(request::correlation_id());
    let result = request::into_problem(
        governance::access::account::invitation::decline(&cx, &signed_in, tenant).await,
    );
    request::respond(result, url::INVITATIONS, url::INVITATIONS, String::new()).await
}
