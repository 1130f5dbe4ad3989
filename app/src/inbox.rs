//! The inbox.

pub(crate) mod act;
pub(crate) mod load;
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
