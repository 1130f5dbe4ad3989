//! The transparency log.

use super::request::log as sources;
use crate::{problem::Problem, view::log::LogPage};

/// Returns the state of the log, and the entries of `digest` unless it is empty. No sign-in is needed.
pub(crate) async fn read_log(digest: String) -> Result<LogPage, Problem> {
    sources::page(digest).await
}
