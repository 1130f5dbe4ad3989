//! Policies: the list, and one at a glance.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::{
        kept::Kept,
        policy::{PolicyPage, PolicyRows},
        query::PolicyQuery,
    },
};

/// One page of the list, and whether the person may add to it.
#[server(prefix = "/console", endpoint = "policies", output = Answer)]
pub(crate) async fn list_policies(
    tenant: TenantId,
    query: PolicyQuery,
) -> Result<(PolicyRows, bool), Problem> {
    use super::ssr;
    let cx = ssr::human(tenant).await?;
    let page = ssr::page_at(query.cursor.clone());
    let policies = governance::policy::list(&cx, (&query).into(), &page).await;
    Ok((ssr::answer(policies)?.map(Into::into), may_write(&cx)))
}

/// Whether the person may write policies.
#[cfg(feature = "ssr")]
fn may_write(cx: &governance::Cx) -> bool {
    cx.role().is_some_and(|role| role.may(contract::scope::Right::Author))
}

/// One policy, its active rules, and all its versions.
#[server(prefix = "/console", endpoint = "policy", output = Answer)]
pub(crate) async fn read_policy(tenant: TenantId, id: PolicyId) -> Result<PolicyPage, Problem> {
    use super::ssr::{self, policy as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, id).await
}

/// A policy that a person is about to take out of force, and why it was refused before.
#[server(prefix = "/console", endpoint = "deactivation", output = Answer)]
pub(crate) async fn read_deactivation(
    tenant: TenantId,
    id: PolicyId,
) -> Result<(PolicyPage, Option<Kept>), Problem> {
    use super::ssr::{self, policy as sources};
    let cx = ssr::human(tenant).await?;
    ssr::answer(cx.tenant(governance::permission::DEACTIVATE).map(drop))?;
    let kept = ssr::kept(&crate::text::url::deactivate(tenant, id)).await;
    Ok((sources::page(&cx, id).await?, kept))
}

/// Takes a policy out of force, when `version` is still the one that decides, and leads to it.
#[server(prefix = "/console", endpoint = "deactivate-policy", output = Answer)]
pub(crate) async fn deactivate_policy(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    reason: String,
) -> Result<(), Problem> {
    use super::ssr::{self, policy as sources};
    use crate::text::url;
    let cx = ssr::human(tenant).await?;
    match sources::deactivate(&cx, policy, version, &reason).await {
        Ok(()) => ssr::go(&url::policy(tenant, policy)),
        Err(problem) => ssr::keep(problem, url::deactivate(tenant, policy), reason).await?,
    }
    Ok(())
}
