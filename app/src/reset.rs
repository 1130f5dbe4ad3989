//! Resetting a password.

pub(crate) mod act;
pub(crate) mod page;
pub(crate) mod words;
