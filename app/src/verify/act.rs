//! The service's own verification of a decision.

use super::view::OwnCheck;
use crate::problem::Problem;

/// Verifies the decision `id` on the server, for browsers without scripts. The server renders the result into
/// the page. After client-side navigation, scripts are on and the browser verifies the bundle itself.
#[cfg(feature = "ssr")]
pub(crate) async fn own_check(id: String) -> Result<Option<OwnCheck>, Problem> {
    match id.parse() {
        Ok(id) => crate::verify::load::own_check(id).await.map(Some),
        Err(_) => Ok(None),
    }
}

#[cfg(not(feature = "ssr"))]
pub(crate) fn own_check(_id: String) -> std::future::Ready<Result<Option<OwnCheck>, Problem>> {
    std::future::ready(Ok(None))
}
