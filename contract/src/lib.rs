#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

// The derive macro names the crate `::contract`.
extern crate self as contract;

#[macro_use]
extern crate contract_derive;

#[macro_use]
pub mod string_enum;

pub mod alert;
pub mod analytics;
pub mod api_key;
pub mod audit;
pub mod authzen;
pub mod capability;
pub mod chain;
pub mod cli_login;
pub mod codification;
pub mod decision;
pub mod email;
pub mod error;
pub mod evaluation;
pub mod field_path;
pub mod filter;
pub mod fold;
pub mod form;
pub mod group;
pub mod id;
pub mod identity_provider;
pub mod json;
pub mod member;
pub mod outcome;
pub mod pagination;
pub mod policy;
pub mod read;
pub mod receipt;
pub mod replay;
pub mod rule;
#[cfg(feature = "openapi")]
mod schema;
pub mod scope;
pub mod second_factor;
pub mod session;
pub mod settings;
pub mod snapshot;
pub mod tenant;
pub mod text;
pub mod time;
pub mod verification;
pub mod webhook;
