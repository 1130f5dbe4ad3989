//! Policies: the list and the page of one policy.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use crate::{
    codec::JsonCodec,
    problem::Problem,
    view::{
        flash::RejectedForm,
        policy::{PolicyPage, PolicyRows},
        query::PolicyQuery,
    },
};

/// Returns one page of the list, and whether the user can create policies.
#[server(prefix = "/console", endpoint = "policies", output = JsonCodec)]
pub(crate) async fn list_policies(
    tenant: TenantId,
    query: PolicyQuery,
) -> Result<(PolicyRows, bool), Problem> {
    use super::request;
    let cx = request::human(tenant).await?;
    let page = request::page_at(query.cursor.clone());
    let policies = governance::authoring::policy::list(&cx, (&query).into(), &page).await;
    let may_write = cx.role().is_some_and(|role| role.has(contract::scope::Right::Author));
    Ok((request::into_problem(policies)?.map(Into::into), may_write))
}

/// Returns one policy, its active rules, and all its versions.
#[server(prefix = "/console", endpoint = "policy", output = JsonCodec)]
pub(crate) async fn read_policy(tenant: TenantId, id: PolicyId) -> Result<PolicyPage, Problem> {
    use super::request::{self, policy as sources};
    let cx = request::human(tenant).await?;
    sources::page(&cx, id).await
}

/// Returns the policy for the deactivation page, and why the last attempt was rejected.
#[server(prefix = "/console", endpoint = "deactivation", output = JsonCodec)]
pub(crate) async fn read_deactivation(
    tenant: TenantId,
    id: PolicyId,
) -> Result<(PolicyPage, Option<RejectedForm>), Problem> {
    use super::request::{self, policy as sources};
    let cx = request::human(tenant).await?;
    request::into_problem(cx.tenant(governance::access::permission::DEACTIVATE).map(drop))?;
    let rejected = request::take_rejected(&crate::text::url::deactivate(tenant, id)).await;
    Ok((sources::page(&cx, id).await?, rejected))
}

/// Deactivates a policy if `version` is still the active version, and redirects to it.
#[server(prefix = "/console", endpoint = "deactivate-policy", output = JsonCodec)]
pub(crate) async fn deactivate_policy(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    reason: String,
) -> Result<(), Problem> {
    use super::request::{self, policy as sources};
    use crate::text::url;
    let cx = request::human(tenant).await?;
    let result = sources::deactivate(&cx, policy, version, &reason).await;
    request::respond(result, &url::policy(tenant, policy), &url::deactivate(tenant, policy), reason)
        .await
}
