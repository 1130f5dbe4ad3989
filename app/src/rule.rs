//! Rules.

#[cfg(feature = "ssr")]
pub(crate) mod load;
pub(crate) mod markup;
pub(crate) mod view;
