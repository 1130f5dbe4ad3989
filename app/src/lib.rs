#![doc = include_str!("../README.md")]
#![expect(
    clippy::unused_async,
    reason = "a server function is async even when it waits for nothing"
)]
#![expect(unreachable_pub, reason = "the `component` macro generates `pub` items")]
#![recursion_limit = "256"]

mod account;
mod alert;
mod analytics;
pub mod api_reference;
mod audit;
mod bundle;
mod capability;
mod chain;
mod clause;
mod cli_login;
mod comment;
mod comparison;
mod decision;
mod delivery;
pub mod dev_mail;
pub mod documentation;
mod editor;
pub mod error_page;
pub mod export;
mod frame;
mod gallery;
mod group;
mod help;
mod home;
mod hosted_form;
mod identity_provider;
mod inbox;
mod invitation;
mod key;
mod list;
mod log;
mod member;
pub(crate) mod missing;
mod names;
mod navigation;
mod outcome;
mod overview;
mod page;
mod policy;
mod policy_form;
mod preference;
mod prelude;
mod provenance;
pub mod public_form;
mod receipt;
mod request;
mod reset;
mod review;
pub mod routes;
mod rule;
mod search;
mod second_factor;
mod settings;
mod setup;
mod shell;
mod sign_in;
pub mod sign_out;
pub mod text;
mod trust;
mod try_decision;
mod ui;
mod verify;
mod version;
mod version_page;
mod webhook;

pub use kit::{cookie, flash, problem};
pub use routes::App;

use kit::codec;

/// A context of the pages of a development service. Without it, the gallery of components does not exist.
#[derive(Clone, Copy, Debug)]
pub struct Development;
pub use {request::shared_reads::SharedReads, shell::shell};
