//! Decision chains.

use contract::id::{ChainId, TenantId};

use super::request::{self, chain as sources};
use crate::{
    problem::Problem,
    view::{
        chain::ChainPage,
        chain_list::{ChainList, ChainQuery},
    },
};

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
