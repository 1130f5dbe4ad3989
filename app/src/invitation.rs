//! Invitations to tenants.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod list;
#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub(crate) mod words;
