//! The explanation of a decision.

pub(crate) mod explain;
