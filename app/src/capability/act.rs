//! Authoring capabilities: list, issue, carry over and revoke.

use contract::id::{CapabilityId, TenantId};
use leptos::prelude::server;

use super::view::{GrantAct, GrantForm, GrantPage, GrantsPage};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns one page of the list, and the key of a capability that was just issued.
#[server(prefix = "/console", endpoint = "grants", output = JsonCodec)]
pub(crate) async fn list_grants(
    tenant: TenantId,
    cursor: String,
    version: String,
) -> Result<GrantsPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, cursor, version).await
}

/// Returns one capability, and why `act` was last rejected.
#[server(prefix = "/console", endpoint = "grant", output = JsonCodec)]
pub(crate) async fn read_grant(
    tenant: TenantId,
    id: CapabilityId,
    act: GrantAct,
) -> Result<GrantPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, id, act).await
}

/// Issues a capability with the ID from the form, and redirects to the list, which shows its key once.
#[server(prefix = "/console", endpoint = "issue-grant", output = JsonCodec)]
pub(crate) async fn issue_grant(
    tenant: TenantId,
    id: CapabilityId,
    #[server(default)] form: GrantForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let page = crate::text::url::grants(tenant);
    match sources::issue(&cx, id, &form).await {
        Ok(secret) => {
            request::set_created(&secret, &page);
            request::redirect(&page);
        }
        Err(problem) => request::set_rejected(problem, page, request::form_json(&form)).await?,
    }
    Ok(())
}

/// Carries a capability over to a later draft and redirects to the list.
#[server(prefix = "/console", endpoint = "carry-grant", output = JsonCodec)]
pub(crate) async fn carry_grant(
    tenant: TenantId,
    id: CapabilityId,
    version: u32,
) -> Result<(), Problem> {
    use crate::request;
    use contract::capability::CapabilityCarry;
    let cx = request::human(tenant).await?;
    let result =
        governance::authoring::capability::carry(&cx, id, CapabilityCarry { version }).await;
    let result = request::into_problem(result);
    let page = GrantAct::Carry.page(tenant, id);
    request::respond(result, &crate::text::url::grants(tenant), &page, String::new()).await
}

/// Revokes a capability, including everything it was carried over to, and redirects to the list.
#[server(prefix = "/console", endpoint = "revoke-grant", output = JsonCodec)]
pub(crate) async fn revoke_grant(tenant: TenantId, id: CapabilityId) -> Result<(), Problem> {
    use crate::request;
    let cx = request::human(tenant).await?;
    let result = request::into_problem(governance::authoring::capability::revoke(&cx, id).await);
    let page = GrantAct::Revoke.page(tenant, id);
    request::respond(result, &crate::text::url::grants(tenant), &page, String::new()).await
}
