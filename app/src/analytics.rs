//! Charts of one policy.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod page;
