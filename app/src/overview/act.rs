//! The overview of a tenant.

use contract::id::TenantId;
use leptos::prelude::server;

use super::view::{OverviewPage, OverviewQuery};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the charts for a range, as HTML.
#[server(prefix = "/console", endpoint = "overview", output = JsonCodec)]
pub(crate) async fn read_overview(
    tenant: TenantId,
    query: OverviewQuery,
) -> Result<OverviewPage, Problem> {
    use super::load;
    use crate::request;
    let cx = request::human(tenant).await?;
    load::read(&cx, tenant, &query).await
}
