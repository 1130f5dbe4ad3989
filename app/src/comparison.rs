//! Comparisons of versions.

pub(crate) mod act;
pub(crate) mod changes;
pub(crate) mod load;
pub(crate) mod markup;
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
