#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "ssr"),
    expect(
        dead_code,
        reason = "the browser needs no code of server-rendered pages; the server build finds unused code"
    )
)]
#![cfg_attr(
    feature = "ssr",
    expect(
        clippy::unused_async,
        reason = "a server function is async even when it waits for nothing"
    )
)]
#![expect(unreachable_pub, reason = "the `component` macro generates `pub` items")]
#![recursion_limit = "256"]

#[cfg(all(feature = "ssr", feature = "hydrate"))]
compile_error!("enable either `ssr` (server) or `hydrate` (browser), not both");

#[cfg(feature = "ssr")]
mod account;
#[cfg(feature = "ssr")]
mod alert;
mod analytics;
#[cfg(feature = "ssr")]
pub mod api_reference;
#[cfg(feature = "ssr")]
mod audit;
mod bundle;
#[cfg(feature = "ssr")]
mod capability;
#[cfg(feature = "ssr")]
mod chain;
mod clause;
#[cfg(feature = "ssr")]
mod cli_login;
mod codec;
#[cfg(feature = "ssr")]
mod comment;
#[cfg(feature = "ssr")]
mod comparison;
#[cfg(feature = "ssr")]
pub mod cookie;
mod decision;
#[cfg(feature = "ssr")]
mod delivery;
#[cfg(feature = "ssr")]
pub mod dev_mail;
#[cfg(feature = "ssr")]
pub mod documentation;
mod editor;
#[cfg(feature = "ssr")]
pub mod error_page;
#[cfg(feature = "ssr")]
pub mod export;
pub mod flash;
mod frame;
#[cfg(feature = "ssr")]
mod gallery;
#[cfg(feature = "ssr")]
mod group;
mod help;
#[cfg(feature = "ssr")]
mod home;
#[cfg(feature = "ssr")]
mod hosted_form;
mod identity_provider;
#[cfg(feature = "ssr")]
mod inbox;
#[cfg(feature = "ssr")]
mod invitation;
#[cfg(feature = "ssr")]
mod key;
mod lazy;
#[cfg(feature = "ssr")]
mod list;
#[cfg(feature = "ssr")]
mod log;
mod member;
pub(crate) mod missing;
mod outcome;
mod overview;
#[cfg(feature = "ssr")]
mod page;
#[cfg(feature = "ssr")]
mod policy;
#[cfg(feature = "ssr")]
mod policy_form;
mod preference;
pub mod problem;
#[cfg(feature = "ssr")]
mod provenance;
#[cfg(feature = "ssr")]
pub mod public_form;
mod receipt;
#[cfg(feature = "ssr")]
mod request;
#[cfg(feature = "ssr")]
mod reset;
#[cfg(feature = "ssr")]
mod review;
pub mod routes;
mod rule;
#[cfg(feature = "ssr")]
mod search;
mod second_factor;
mod server_page;
mod settings;
#[cfg(feature = "ssr")]
mod setup;
#[cfg(feature = "ssr")]
mod shell;
mod sign_in;
#[cfg(feature = "ssr")]
pub mod sign_out;
pub mod text;
#[cfg(feature = "ssr")]
mod trust;
mod try_decision;
mod ui;
mod verify;
#[cfg(feature = "ssr")]
mod version;
#[cfg(feature = "ssr")]
mod webhook;

pub use routes::App;

/// A context of the pages of a development service. Without it, the gallery of components does not exist.
#[cfg(feature = "ssr")]
#[derive(Clone, Copy, Debug)]
pub struct Development;
#[cfg(feature = "ssr")]
pub use {request::shared_reads::SharedReads, shell::shell};
