//! A decision chain.

use contract::id::{ChainId, TenantId};

use super::request::{self, chain as sources};
use crate::{problem::Problem, view::chain::ChainPage};

/// Verifies one of the tenant's decision chains and returns its page.
pub(crate) async fn read_chain(tenant: TenantId, id: ChainId) -> Result<ChainPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}
