//! What the service itself finds of a decision.

use crate::{problem::Problem, view::verify::OwnCheck};

/// The service's own check of the decision that `id` names, for readers without scripts: it stands in the page
/// that they get. Whoever comes from within has scripts, and checks for himself.
#[cfg(feature = "ssr")]
pub(crate) async fn own_check(id: String) -> Result<Option<OwnCheck>, Problem> {
    match id.parse() {
        Ok(id) => super::ssr::verify::own_check(id).await.map(Some),
        Err(_) => Ok(None),
    }
}

#[cfg(not(feature = "ssr"))]
pub(crate) fn own_check(_id: String) -> std::future::Ready<Result<Option<OwnCheck>, Problem>> {
    std::future::ready(Ok(None))
}
