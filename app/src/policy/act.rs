//! Policies: the list and the page of one policy.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

#[cfg(feature = "ssr")]
use super::view::PolicyList;
use super::view::PolicyPage;
use crate::{codec::JsonCodec, flash::RejectedForm, problem::Problem};
#[cfg(feature = "ssr")]
use crate::{rule::view::RulePosition, text::query::PolicyQuery};

/// Returns one page of the list.
#[cfg(feature = "ssr")]
pub(crate) async fn list_policies(
    tenant: TenantId,
    query: PolicyQuery,
) -> Result<PolicyList, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, &query).await
}

/// Returns one policy and all its versions, with the active rules at `position`, else with the first of them.
#[cfg(feature = "ssr")]
pub(crate) async fn read_policy(
    tenant: TenantId,
    id: PolicyId,
    position: Option<RulePosition>,
) -> Result<PolicyPage, Problem> {
    use super::load as sources;
    use crate::request;
    /// The number of rules of an overview.
    const RULES_SHOWN: usize = 8;
    let cx = request::human(tenant).await?;
    let mut page = sources::page(&cx, id).await?;
    page.active_rules = match position {
        Some(position) => page.active_rules.at(&position),
        None => page.active_rules.first(RULES_SHOWN),
    };
    Ok(page)
}

/// Creates the policy of a sample and redirects to its draft.
#[cfg(feature = "ssr")]
#[server(prefix = "/console", endpoint = "create-from-sample", output = JsonCodec)]
pub(crate) async fn create_from_sample(tenant: TenantId, code: String) -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    match request::into_problem(governance::authoring::sample::create(&cx, &code).await) {
        Ok(created) => request::redirect(&url::edit_version(tenant, created.policy.id, 1)),
        Err(problem) => {
            request::set_rejected(problem, url::policies(tenant), String::new()).await?;
        }
    }
    Ok(())
}

/// Returns the policy for the deactivation page, and why the last attempt was rejected.
#[server(prefix = "/console", endpoint = "deactivation", output = JsonCodec)]
pub(crate) async fn read_deactivation(
    tenant: TenantId,
    id: PolicyId,
) -> Result<(PolicyPage, Option<RejectedForm>), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    request::into_problem(cx.tenant(governance::access::permission::DEACTIVATE).map(drop))?;
    let rejected = request::take_rejected(&crate::text::url::deactivate(tenant, id)).await;
    let mut page = sources::page(&cx, id).await?;
    page.active_rules = page.active_rules.first(0);
    Ok((page, rejected))
}

/// Deactivates a policy if `version` is still the active version, and redirects to it.
#[server(prefix = "/console", endpoint = "deactivate-policy", output = JsonCodec)]
pub(crate) async fn deactivate_policy(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    reason: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    let result = sources::deactivate(&cx, policy, version, &reason).await;
    request::respond(result, &url::policy(tenant, policy), &url::deactivate(tenant, policy), reason)
        .await
}
