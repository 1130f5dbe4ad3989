//! The bundle of a decision, looked into.

use contract::id::{DecisionId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{problem::Problem, view::bundle::BundlePage};

/// What the bundle of a decision holds, with the file `open` to be read, and the decision's lineage.
#[server(prefix = "/console", endpoint = "bundle", output = Answer)]
pub(crate) async fn read_bundle(
    tenant: TenantId,
    id: DecisionId,
    open: String,
) -> Result<BundlePage, Problem> {
    use super::ssr::{self, bundle as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, id, &open).await
}
