//! A chain of decisions.

use contract::id::{ChainId, TenantId};

use super::ssr::{self, chain as sources};
use crate::{problem::Problem, view::chain::ChainPage};

/// One of the tenant's chains, checked now.
pub(crate) async fn read_chain(tenant: TenantId, id: ChainId) -> Result<ChainPage, Problem> {
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}
