//! Dry runs.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod load;
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
