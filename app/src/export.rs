//! Exports of decisions.

pub(crate) mod act;
pub(crate) mod load;
pub(crate) mod page;
pub mod view;
pub(crate) mod words;
