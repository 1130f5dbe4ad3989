//! The page of a version, and the dialogs and pages of the actions on it.

pub mod action;
pub mod detail;
