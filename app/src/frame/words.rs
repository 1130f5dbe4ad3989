//! Navigation and the user menu.

pub(crate) const SEARCH: &str = "Search or paste an ID";
