//! Versions of policies and the actions on them.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod action;
pub(crate) mod action_words;
pub(crate) mod actions;
pub(crate) mod form;
#[cfg(feature = "ssr")]
pub(crate) mod lifecycle;
#[cfg(feature = "ssr")]
pub(crate) mod load;
pub(crate) mod markup;
#[cfg(feature = "ssr")]
pub(crate) mod page;
#[cfg(feature = "ssr")]
pub(crate) mod proof;
pub(crate) mod view;
pub(crate) mod words;
