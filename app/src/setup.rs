//! Choosing the first password of an account.

pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod page;
pub(crate) mod words;
