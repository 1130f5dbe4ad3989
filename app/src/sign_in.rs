//! Sign-in and the confirmation of the password.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod confirm;
pub(crate) mod confirm_words;
#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod view;
pub(crate) mod words;
