//! Texts of the pages, and functions that format values as text.

pub use kit::text::*;

pub(crate) mod description;
pub mod difference;
pub mod qr_code;
pub(crate) mod query;
pub(crate) mod setting;
pub mod time;

#[cfg(test)]
mod contrast;
