//! Decision chains.

use contract::id::{ChainId, TenantId};

use super::{
    list_view::{ChainList, ChainQuery},
    load as sources,
    view::ChainPage,
};
use crate::{problem::Problem, request};

/// Returns one page of the tenant's chains.
pub(crate) async fn list_chains(
    tenant: TenantId,
    query: &ChainQuery,
) -> Result<ChainList, Problem> {
    let cx = request::human(tenant).await?;
    sources::list(&cx, query).await
}

/// Verifies one of the tenant's decision chains and returns its page.
pub(crate) async fn read_chain(tenant: TenantId, id: ChainId) -> Result<ChainPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}
