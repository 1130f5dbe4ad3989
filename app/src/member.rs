//! Members of a tenant.

#[cfg(feature = "ssr")]
pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod markup;
pub(crate) mod names;
#[cfg(feature = "ssr")]
pub(crate) mod page;
#[cfg(feature = "ssr")]
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub(crate) mod words;
