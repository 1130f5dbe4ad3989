//! Identity providers of a tenant.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
