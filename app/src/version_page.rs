//! The page of a version, and the dialogs and pages of the actions on it.

pub(crate) mod action;
pub(crate) mod detail;
