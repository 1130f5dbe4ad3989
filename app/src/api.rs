//! What pages ask of the server: each function takes the session, makes one call, and words the
//! answer. Server functions are public endpoints under `/console`; what a page of the server alone asks is
//! none.

#![cfg_attr(
    feature = "ssr",
    expect(
        clippy::unused_async,
        reason = "a server function is async even when it waits for nothing"
    )
)]

pub(crate) mod account;
pub(crate) mod alert;
pub(crate) mod analytics;
pub(crate) mod audit;
pub(crate) mod bundle;
pub(crate) mod capability;
#[cfg(feature = "ssr")]
pub(crate) mod chain;
pub(crate) mod codec;
pub(crate) mod decision;
#[cfg(feature = "ssr")]
pub(crate) mod delivery;
pub(crate) mod editor;
pub(crate) mod group;
#[cfg(feature = "ssr")]
pub(crate) mod hosted;
pub(crate) mod inbox;
pub(crate) mod invitation;
pub(crate) mod key;
pub(crate) mod member;
pub(crate) mod outcome;
pub(crate) mod overview;
pub(crate) mod policy;
pub(crate) mod policy_form;
pub(crate) mod preference;
pub(crate) mod receipt;
#[cfg(feature = "ssr")]
pub(crate) mod reset;
pub(crate) mod review;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod tried;
#[cfg(feature = "ssr")]
pub(crate) mod trust;
pub(crate) mod verify;
pub(crate) mod version;
#[cfg(feature = "ssr")]
pub(crate) mod webhook;

#[cfg(feature = "ssr")]
mod ssr;
