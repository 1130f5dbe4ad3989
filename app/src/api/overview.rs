//! How governance is going.

use contract::id::TenantId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::overview::{OverviewPage, OverviewQuery},
};

/// The charts of a range, drawn.
#[server(prefix = "/console", endpoint = "overview", output = Answer)]
pub(crate) async fn read_overview(
    tenant: TenantId,
    query: OverviewQuery,
) -> Result<OverviewPage, Problem> {
    use super::ssr::{self, overview};
    let cx = ssr::human(tenant).await?;
    overview::read(&cx, tenant, &query).await
}
