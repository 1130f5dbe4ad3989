//! The signing keys that the service publishes.

use super::{load as sources, view::TrustPage};
use crate::problem::Problem;

/// Returns the newest version of the trust registry. No sign-in is needed.
pub(crate) async fn read_trust() -> Result<TrustPage, Problem> {
    sources::page().await
}
