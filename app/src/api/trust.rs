//! The keys that the service publishes.

use super::ssr::trust as sources;
use crate::{problem::Problem, view::trust::TrustPage};

/// The newest version of the registry, for anybody.
pub(crate) async fn read_trust() -> Result<TrustPage, Problem> {
    sources::page().await
}
