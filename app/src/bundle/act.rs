//! The contents of a decision's bundle.

use contract::id::{DecisionId, TenantId};
use leptos::prelude::server;

use super::view::BundlePage;
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the contents of a decision's bundle, with the file `open` to display, and the provenance of the
/// decision.
#[server(prefix = "/console", endpoint = "bundle", output = JsonCodec)]
pub(crate) async fn read_bundle(
    tenant: TenantId,
    id: DecisionId,
    open: String,
) -> Result<BundlePage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, id, &open).await
}
