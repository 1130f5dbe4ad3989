//! The start page.

pub(crate) mod page;
pub(crate) mod words;
