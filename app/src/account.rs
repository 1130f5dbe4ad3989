//! The account of the signed-in user.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub(crate) mod words;
