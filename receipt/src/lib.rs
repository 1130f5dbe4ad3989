#![doc = include_str!("../README.md")]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_cmp,
    clippy::missing_errors_doc
)]

pub mod approval;
pub mod audit;
pub mod bundle;
pub mod canon;
pub mod chain;
pub mod digest;
pub mod dsse;
pub mod fields;
pub mod grant;
pub mod jwks;
pub mod key;
pub mod log;
pub mod merkle;
pub mod registry;
pub mod statement;
pub mod view;

pub use canon::Canonical;
pub use digest::Digest;
