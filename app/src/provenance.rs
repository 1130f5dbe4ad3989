//! The provenance of a decision, from clause to outcome.

#[cfg(feature = "ssr")]
pub(crate) mod load;
pub(crate) mod view;
pub(crate) mod words;
