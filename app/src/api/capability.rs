//! Authoring capabilities: the list, issuing, carrying and revoking a grant.

use contract::id::{CapabilityId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::capability::{GrantAct, GrantForm, GrantPage, GrantsPage},
};

/// One page of the list, and the key of a grant that was issued a moment ago.
#[server(prefix = "/console", endpoint = "grants", output = Answer)]
pub(crate) async fn list_grants(
    tenant: TenantId,
    cursor: String,
    version: String,
) -> Result<GrantsPage, Problem> {
    use super::ssr::{self, capability as sources};
    let cx = ssr::human(tenant).await?;
    sources::list(&cx, tenant, cursor, version).await
}

/// One grant, and why `act` was refused a moment ago.
#[server(prefix = "/console", endpoint = "grant", output = Answer)]
pub(crate) async fn read_grant(
    tenant: TenantId,
    id: CapabilityId,
    act: GrantAct,
) -> Result<GrantPage, Problem> {
    use super::ssr::{self, capability as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, id, act).await
}

/// Issues a grant of the id that the form was given, and leads to the list, which shows its key this
/// once.
#[server(prefix = "/console", endpoint = "issue-grant", output = Answer)]
pub(crate) async fn issue_grant(
    tenant: TenantId,
    id: CapabilityId,
    #[server(default)] form: GrantForm,
) -> Result<(), Problem> {
    use super::ssr::{self, capability as sources};
    let cx = ssr::human(tenant).await?;
    let page = crate::text::url::grants(tenant);
    match sources::issue(&cx, id, &form).await {
        Ok(made) => {
            ssr::keep_made(&made, &page);
            ssr::go(&page);
        }
        Err(problem) => ssr::keep(problem, page, sources::typed(&form)).await?,
    }
    Ok(())
}

/// Carries a grant to a later draft and leads to the list.
#[server(prefix = "/console", endpoint = "carry-grant", output = Answer)]
pub(crate) async fn carry_grant(
    tenant: TenantId,
    id: CapabilityId,
    version: u32,
) -> Result<(), Problem> {
    use super::ssr;
    use contract::capability::CapabilityCarry;
    let cx = ssr::human(tenant).await?;
    let carried = governance::capability::carry(&cx, id, CapabilityCarry { version }).await;
    match ssr::answer(carried) {
        Ok(_) => ssr::go(&crate::text::url::grants(tenant)),
        Err(problem) => {
            let page = GrantAct::Carry.page(tenant, id);
            ssr::keep(problem, page, String::new()).await?;
        }
    }
    Ok(())
}

/// Revokes a grant, with all that it was carried to, and leads to the list.
#[server(prefix = "/console", endpoint = "revoke-grant", output = Answer)]
pub(crate) async fn revoke_grant(tenant: TenantId, id: CapabilityId) -> Result<(), Problem> {
    use super::ssr;
    let cx = ssr::human(tenant).await?;
    match ssr::answer(governance::capability::revoke(&cx, id).await) {
        Ok(()) => ssr::go(&crate::text::url::grants(tenant)),
        Err(problem) => {
            let page = GrantAct::Revoke.page(tenant, id);
            ssr::keep(problem, page, String::new()).await?;
        }
    }
    Ok(())
}
