#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::as_conversions
)]

mod codifier;
pub mod lint;

pub use codifier::{CodifiedRules, codify};
