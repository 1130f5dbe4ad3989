//! The provenance of a decision, from clause to outcome.

pub(crate) mod view;
pub(crate) mod words;
