//! The gallery of shared components, in development only.

pub(crate) mod page;
pub(crate) mod words;
