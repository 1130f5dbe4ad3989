//! Reviews of versions.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod record;
#[cfg(feature = "ssr")]
pub(crate) mod requested_changes;
pub(crate) mod tab;
pub(crate) mod view;
pub(crate) mod words;
