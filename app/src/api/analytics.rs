//! Analytics of one policy.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use crate::{codec::JsonCodec, problem::Problem, view::overview::OverviewQuery};

/// Returns the name of the policy and its charts for a range, as HTML.
#[server(prefix = "/console", endpoint = "analytics", output = JsonCodec)]
pub(crate) async fn read_analytics(
    tenant: TenantId,
    id: PolicyId,
    query: OverviewQuery,
) -> Result<(String, String), Problem> {
    use super::request::{self, analytics};
    let cx = request::human(tenant).await?;
    analytics::read(&cx, tenant, id, &query).await
}
