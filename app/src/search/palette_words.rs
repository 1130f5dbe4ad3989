//! Texts of the command palette.

pub(crate) const TITLE: &str = "Search and actions";
pub(crate) const FIELD: &str = "Search pages and actions";
pub(crate) const RESULTS: &str = "Results";
pub(crate) const FAILED: &str = "The results could not be loaded. Press Enter to search.";
pub(crate) const MOVE: &str = "move";
pub(crate) const OPEN: &str = "open";
pub(crate) const OPEN_TAB: &str = "open in a new tab";
