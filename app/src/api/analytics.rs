//! How a policy and its rules fare.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{problem::Problem, view::overview::OverviewQuery};

/// The name of the policy, and its charts of a range, drawn.
#[server(prefix = "/console", endpoint = "analytics", output = Answer)]
pub(crate) async fn read_analytics(
    tenant: TenantId,
    id: PolicyId,
    query: OverviewQuery,
) -> Result<(String, String), Problem> {
    use super::ssr::{self, analytics};
    let cx = ssr::human(tenant).await?;
    analytics::read(&cx, tenant, id, &query).await
}
