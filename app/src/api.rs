//! Server functions called by the pages. Each function authenticates the caller, makes one call and converts
//! errors to a `Problem`. Server functions are public endpoints under `/console`; those of public pages need no
//! session. Functions without an endpoint are called only while the server renders a page.

#![cfg_attr(
    feature = "ssr",
    expect(
        clippy::unused_async,
        reason = "a server function is async even when it waits for nothing"
    )
)]

pub(crate) mod account;
#[cfg(feature = "ssr")]
pub(crate) mod alert;
pub(crate) mod analytics;
#[cfg(feature = "ssr")]
pub(crate) mod audit;
pub(crate) mod bundle;
pub(crate) mod capability;
#[cfg(feature = "ssr")]
pub(crate) mod chain;
#[cfg(feature = "ssr")]
pub(crate) mod comment;
#[cfg(feature = "ssr")]
pub(crate) mod compare;
#[cfg(feature = "ssr")]
pub(crate) mod decision;
#[cfg(feature = "ssr")]
pub(crate) mod delivery;
pub(crate) mod editor;
#[cfg(feature = "ssr")]
pub(crate) mod export;
pub(crate) mod group;
#[cfg(feature = "ssr")]
pub(crate) mod hosted;
#[cfg(feature = "ssr")]
pub(crate) mod inbox;
pub(crate) mod invitation;
pub(crate) mod key;
#[cfg(feature = "ssr")]
pub(crate) mod log;
#[cfg(feature = "ssr")]
pub(crate) mod member;
pub(crate) mod outcome;
pub(crate) mod overview;
#[cfg(feature = "ssr")]
pub(crate) mod pending;
pub(crate) mod policy;
pub(crate) mod policy_form;
pub(crate) mod preference;
#[cfg(feature = "ssr")]
pub(crate) mod receipt;
#[cfg(feature = "ssr")]
pub(crate) mod reset;
pub(crate) mod review;
#[cfg(feature = "ssr")]
pub(crate) mod search;
pub(crate) mod session;
#[cfg(feature = "ssr")]
pub(crate) mod settings;
pub(crate) mod setup;
#[cfg(feature = "ssr")]
pub(crate) mod trust;
pub(crate) mod try_decision;
pub(crate) mod verify;
pub(crate) mod version;
#[cfg(feature = "ssr")]
pub(crate) mod webhook;

#[cfg(feature = "ssr")]
mod request;
#[cfg(feature = "ssr")]
mod shared_reads;

#[cfg(feature = "ssr")]
pub use shared_reads::SharedReads;

#[cfg(feature = "ssr")]
pub(crate) use request::correlation_id;
