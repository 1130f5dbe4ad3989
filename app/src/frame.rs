//! The frame around the pages: navigation, search, and the dialogs of the session.

pub(crate) mod layout;
#[cfg(feature = "ssr")]
pub(crate) mod navigation;
#[cfg(feature = "ssr")]
pub(crate) mod session;
#[cfg(feature = "ssr")]
pub(crate) mod session_words;
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub(crate) mod words;
