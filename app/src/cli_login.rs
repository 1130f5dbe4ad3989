//! Access of the command line to a tenant, which the user allows in the browser.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
