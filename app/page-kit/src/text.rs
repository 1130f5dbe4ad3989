//! Texts of the pages, and functions that format values as text.

pub use kit::text::*;

pub mod description;
pub mod difference;
pub mod qr_code;
pub mod query;
pub mod setting;
pub mod time;

#[cfg(test)]
mod contrast;
