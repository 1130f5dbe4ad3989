//! The transparency log.

use super::{load as sources, view::LogPage};
use crate::problem::Problem;

/// Returns the state of the log, and the entries of `digest` unless it is empty. No sign-in is needed.
pub(crate) async fn read_log(digest: String) -> Result<LogPage, Problem> {
    sources::page(digest).await
}
