//! The help page.

#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod terms;
pub(crate) mod words;
