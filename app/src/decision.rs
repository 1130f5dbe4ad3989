//! Decisions: the list and one decision.

pub(crate) use islands::explanation::rules;

pub(crate) mod act;
pub(crate) mod list;
pub(crate) mod list_words;
pub(crate) mod load;
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
