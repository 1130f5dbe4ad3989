//! The overview of a tenant.

use contract::id::TenantId;
use leptos::prelude::server;

use crate::{
    codec::JsonCodec,
    problem::Problem,
    view::overview::{OverviewPage, OverviewQuery},
};

/// Returns the charts for a range, as HTML.
#[server(prefix = "/console", endpoint = "overview", output = JsonCodec)]
pub(crate) async fn read_overview(
    tenant: TenantId,
    query: OverviewQuery,
) -> Result<OverviewPage, Problem> {
    use super::request::{self, overview};
    let cx = request::human(tenant).await?;
    overview::read(&cx, tenant, &query).await
}
