//! API keys.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod markup;
#[cfg(feature = "ssr")]
pub(crate) mod page;
#[cfg(feature = "ssr")]
pub(crate) mod revoke;
pub(crate) mod view;
pub(crate) mod words;
