//! Invitations to tenants: accept and decline.

use contract::id::TenantId;
use leptos::prelude::server;

use crate::{codec::JsonCodec, problem::Problem};

/// Accepts the invitation of a tenant and redirects to it.
#[server(prefix = "/console", endpoint = "accept-invitation", output = JsonCodec)]
pub(crate) async fn accept_invitation(tenant: TenantId) -> Result<(), Problem> {
    use super::request;
    use crate::{text::url, view::frame::TenantMembership};
    let signed_in = request::signed_in(url::ACCOUNT)?;
    let cx = request::governance().public(request::correlation_id());
    match governance::access::account::invitation::accept(&cx, &signed_in, tenant).await {
        Ok(membership) => {
            let membership =
                TenantMembership { tenant, name: membership.tenant_name, role: membership.role };
            request::redirect(&membership.start());
            Ok(())
        }
        Err(error) => {
            request::set_rejected(
                request::to_problem(&error),
                url::ACCOUNT.to_owned(),
                String::new(),
            )
            .await
        }
    }
}

/// Declines the invitation of a tenant and redirects to the account page.
#[server(prefix = "/console", endpoint = "decline-invitation", output = JsonCodec)]
pub(crate) async fn decline_invitation(tenant: TenantId) -> Result<(), Problem> {
    use super::request;
    use crate::text::url;
    let signed_in = request::signed_in(url::ACCOUNT)?;
    let cx = request::governance().public(request::correlation_id());
    match governance::access::account::invitation::decline(&cx, &signed_in, tenant).await {
        Ok(()) => {
            request::redirect(url::ACCOUNT);
            Ok(())
        }
        Err(error) => {
            request::set_rejected(
                request::to_problem(&error),
                url::ACCOUNT.to_owned(),
                String::new(),
            )
            .await
        }
    }
}
