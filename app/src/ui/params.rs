//! The parameters of a page's address.

use std::str::FromStr;

use contract::id::{
    AlertId, ApiKeyId, CapabilityId, DecisionId, FormId, PolicyGroupId, PolicyId, TenantId,
};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::problem::Problem;

/// Returns the tenant of the address. An address without a valid tenant is an unknown page.
pub(crate) fn tenant() -> impl Fn() -> Result<TenantId, Problem> + Copy + Send + Sync + 'static {
    param("tenant")
}

/// Returns the policy of the address.
pub(crate) fn policy() -> impl Fn() -> Result<PolicyId, Problem> + Copy + Send + Sync + 'static {
    param("policy")
}

/// Returns the version number of the address.
pub(crate) fn version() -> impl Fn() -> Result<u32, Problem> + Copy + Send + Sync + 'static {
    param("version")
}

/// Returns the decision of the address.
pub(crate) fn decision() -> impl Fn() -> Result<DecisionId, Problem> + Copy + Send + Sync + 'static
{
    param("decision")
}

/// Returns the hosted form of the address.
pub(crate) fn form() -> impl Fn() -> Result<FormId, Problem> + Copy + Send + Sync + 'static {
    param("form")
}

/// Returns the policy group of the address.
pub(crate) fn group() -> impl Fn() -> Result<PolicyGroupId, Problem> + Copy + Send + Sync + 'static
{
    param("group")
}

/// Returns the user of the address.
#[cfg(feature = "ssr")]
pub(crate) fn user()
-> impl Fn() -> Result<contract::id::UserId, Problem> + Copy + Send + Sync + 'static {
    param("user")
}

/// Returns the alert of the address.
pub(crate) fn alert() -> impl Fn() -> Result<AlertId, Problem> + Copy + Send + Sync + 'static {
    param("alert")
}

/// Returns the webhook delivery of the address.
#[cfg(feature = "ssr")]
pub(crate) fn delivery()
-> impl Fn() -> Result<contract::id::DeliveryId, Problem> + Copy + Send + Sync + 'static {
    param("delivery")
}

/// Returns the chain of the address.
#[cfg(feature = "ssr")]
pub(crate) fn chain()
-> impl Fn() -> Result<contract::id::ChainId, Problem> + Copy + Send + Sync + 'static {
    param("chain")
}

/// Returns the API key of the address.
pub(crate) fn key() -> impl Fn() -> Result<ApiKeyId, Problem> + Copy + Send + Sync + 'static {
    param("key")
}

/// Returns the authoring capability of the address.
pub(crate) fn grant() -> impl Fn() -> Result<CapabilityId, Problem> + Copy + Send + Sync + 'static {
    param("grant")
}

fn param<T: FromStr>(
    name: &'static str,
) -> impl Fn() -> Result<T, Problem> + Copy + Send + Sync + 'static {
    let params = use_params_map();
    move || {
        let text = params.with(|params| params.get(name)).unwrap_or_default();
        text.parse().map_err(|_| super::problem::page_not_found())
    }
}

/// Returns a query parameter, or an empty string if it is absent.
pub(crate) fn query(name: &'static str) -> impl Fn() -> String + Copy + Send + Sync + 'static {
    let query = use_query_map();
    move || query.with(|query| query.get(name)).unwrap_or_default()
}
