//! Dry runs.

pub mod act;
#[cfg(feature = "ssr")]
pub mod load;
mod panel;
pub(crate) mod result;
pub mod view;
pub mod words;

pub use self::{panel::TryPanel, result::error_list};
