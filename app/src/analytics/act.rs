//! Analytics of one policy.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use crate::{codec::JsonCodec, overview::view::OverviewQuery, problem::Problem};

/// Returns the name of the policy, and the ranges and its charts for a range, as HTML.
#[server(prefix = "/console", endpoint = "analytics", output = JsonCodec)]
pub(crate) async fn read_analytics(
    tenant: TenantId,
    id: PolicyId,
    query: OverviewQuery,
) -> Result<(String, String, String), Problem> {
    use super::load;
    use crate::request;
    let cx = request::human(tenant).await?;
    load::read(&cx, tenant, id, &query).await
}
