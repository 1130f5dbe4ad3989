//! What the address of a page says.

use std::str::FromStr;

use contract::id::{
    AlertId, ApiKeyId, CapabilityId, DecisionId, FormId, PolicyGroupId, PolicyId, TenantId,
};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::problem::Problem;

/// The tenant; an address that names none is no page of ours.
pub(crate) fn tenant() -> impl Fn() -> Result<TenantId, Problem> + Copy + Send + Sync + 'static {
    param("tenant")
}

/// The policy.
pub(crate) fn policy() -> impl Fn() -> Result<PolicyId, Problem> + Copy + Send + Sync + 'static {
    param("policy")
}

/// The version's number.
pub(crate) fn version() -> impl Fn() -> Result<u32, Problem> + Copy + Send + Sync + 'static {
    param("version")
}

/// The decision.
pub(crate) fn decision() -> impl Fn() -> Result<DecisionId, Problem> + Copy + Send + Sync + 'static
{
    param("decision")
}

/// The form.
pub(crate) fn form() -> impl Fn() -> Result<FormId, Problem> + Copy + Send + Sync + 'static {
    param("form")
}

/// The policy group.
pub(crate) fn group() -> impl Fn() -> Result<PolicyGroupId, Problem> + Copy + Send + Sync + 'static
{
    param("group")
}

/// The person.
#[cfg(feature = "ssr")]
pub(crate) fn user()
-> impl Fn() -> Result<contract::id::UserId, Problem> + Copy + Send + Sync + 'static {
    param("user")
}

/// The alert.
pub(crate) fn alert() -> impl Fn() -> Result<AlertId, Problem> + Copy + Send + Sync + 'static {
    param("alert")
}

/// The delivery to a webhook.
#[cfg(feature = "ssr")]
pub(crate) fn delivery()
-> impl Fn() -> Result<contract::id::DeliveryId, Problem> + Copy + Send + Sync + 'static {
    param("delivery")
}

/// The chain.
#[cfg(feature = "ssr")]
pub(crate) fn chain()
-> impl Fn() -> Result<contract::id::ChainId, Problem> + Copy + Send + Sync + 'static {
    param("chain")
}

/// The API key.
pub(crate) fn key() -> impl Fn() -> Result<ApiKeyId, Problem> + Copy + Send + Sync + 'static {
    param("key")
}

/// The authoring grant.
pub(crate) fn grant() -> impl Fn() -> Result<CapabilityId, Problem> + Copy + Send + Sync + 'static {
    param("grant")
}

fn param<T: FromStr>(
    name: &'static str,
) -> impl Fn() -> Result<T, Problem> + Copy + Send + Sync + 'static {
    let params = use_params_map();
    move || {
        let text = params.with(|params| params.get(name)).unwrap_or_default();
        text.parse().map_err(|_| super::missing::noted())
    }
}

/// A part of the query string; empty when it is not there.
pub(crate) fn query(name: &'static str) -> impl Fn() -> String + Copy + Send + Sync + 'static {
    let query = use_query_map();
    move || query.with(|query| query.get(name)).unwrap_or_default()
}
