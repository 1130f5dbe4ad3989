#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
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
pub mod canonical_json;
pub mod chain;
pub mod digest;
pub mod dsse;
pub mod grant;
pub mod jwks;
pub mod key;
mod members;
pub mod merkle;
pub mod object_reader;
pub mod redaction;
pub mod statement;
pub mod transparency_log;
pub mod trust_registry;

pub use canonical_json::CanonicalJson;
pub use digest::Digest;
