//! The signing keys that the service publishes.

use super::request::trust as sources;
use crate::{problem::Problem, view::trust::TrustPage};

/// Returns the newest version of the trust registry. No sign-in is needed.
pub(crate) async fn read_trust() -> Result<TrustPage, Problem> {
    sources::page().await
}
