//! Answering the invitation of a tenant.

use contract::id::TenantId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::problem::Problem;

/// Accepts the invitation of a tenant and leads to it.
#[server(prefix = "/console", endpoint = "accept-invitation", output = Answer)]
pub(crate) async fn accept_invitation(tenant: TenantId) -> Result<(), Problem> {
    use super::ssr;
    use crate::{text::url, view::frame::Place};
    let signed_in = ssr::signed_in(url::ACCOUNT)?;
    let cx = ssr::governance().public(ssr::correlation_id());
    match governance::account::invitation::accept(&cx, &signed_in, tenant).await {
        Ok(place) => {
            let place = Place { tenant, name: place.tenant_name, role: place.role };
            ssr::go(&place.start());
            Ok(())
        }
        Err(error) => ssr::keep(ssr::refuse(&error), url::ACCOUNT.to_owned(), String::new()).await,
    }
}

/// Declines the invitation of a tenant and leads to the account.
#[server(prefix = "/console", endpoint = "decline-invitation", output = Answer)]
pub(crate) async fn decline_invitation(tenant: TenantId) -> Result<(), Problem> {
    use super::ssr;
    use crate::text::url;
    let signed_in = ssr::signed_in(url::ACCOUNT)?;
    let cx = ssr::governance().public(ssr::correlation_id());
    match governance::account::invitation::decline(&cx, &signed_in, tenant).await {
        Ok(()) => {
            ssr::go(url::ACCOUNT);
            Ok(())
        }
        Err(error) => ssr::keep(ssr::refuse(&error), url::ACCOUNT.to_owned(), String::new()).await,
    }
}
