//! Data of the decision chain page.

use contract::{
    chain::ChainStatus,
    error::ErrorCode,
    id::{ChainId, TenantId},
};
use governance::{Cx, deciding::chain};

use super::into_problem;
use crate::{problem::Problem, view::chain::ChainPage};

/// Verifies a decision chain of the tenant and returns its page. A sealed chain includes its seal if the seal
/// is found.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: ChainId,
) -> Result<ChainPage, Problem> {
    let verification = into_problem(chain::read(cx, id).await)?;
    let seal = match verification.status {
        ChainStatus::Open => None,
        ChainStatus::Sealed => match chain::read_seal(cx, id).await {
            Err(error) if error.code() == ErrorCode::NotFound => None,
            seal => Some(into_problem(seal)?),
        },
    };
    Ok(ChainPage::new(tenant, verification, seal))
}
