//! Policies: the list and one policy.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod deactivate;
#[cfg(feature = "ssr")]
pub(crate) mod list;
pub(crate) mod list_words;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
