//! What the page of a chain is made of.

use contract::{
    chain::ChainStatus,
    error::ErrorCode,
    id::{ChainId, TenantId},
};
use governance::{Cx, chain};

use super::answer;
use crate::{problem::Problem, view::chain::ChainPage};

/// A chain of the tenant, checked now. What is sealed comes with its seal, if that is still there.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: ChainId,
) -> Result<ChainPage, Problem> {
    let found = answer(chain::read(cx, id).await)?;
    let sealed = match found.status {
        ChainStatus::Open => None,
        ChainStatus::Sealed => match chain::read_seal(cx, id).await {
            Err(error) if error.code() == ErrorCode::NotFound => None,
            sealed => Some(answer(sealed)?),
        },
    };
    Ok(ChainPage::new(tenant, found, sealed))
}
