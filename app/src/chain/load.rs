//! Data of the list of chains and of the page of a chain.

use contract::{
    chain::ChainStatus,
    error::ErrorCode,
    id::{ChainId, TenantId},
};
use governance::{Cx, access::permission, deciding::chain};

use super::{
    list_view::{ChainList, ChainQuery},
    view::ChainPage,
};
use crate::{
    problem::Problem,
    request::{into_problem, list_page, page_at},
    ui::list_page::ListPage,
};

/// Returns one page of the tenant's chains, newest first.
pub(crate) async fn list(cx: &Cx, query: &ChainQuery) -> Result<ChainList, Problem> {
    match query.filter() {
        Ok(filter) => {
            let window = chain::window(cx, filter, &page_at(query.cursor.clone())).await;
            Ok(ChainList { page: list_page(into_problem(window)?), error: None })
        }
        Err(error) => {
            // The permission is checked also if nothing is listed.
            into_problem(cx.tenant(permission::READ_DECISIONS))?;
            Ok(ChainList { page: ListPage::default(), error: Some(error.to_owned()) })
        }
    }
}

/// Verifies a decision chain of the tenant and returns its page. A sealed chain includes its seal if the seal
/// is found.
pub(crate) async fn page(cx: &Cx, tenant: TenantId, id: ChainId) -> Result<ChainPage, Problem> {
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
