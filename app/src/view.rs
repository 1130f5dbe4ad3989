//! View models: plain structs that the server builds and the browser receives. Tests need neither.

pub mod account;
pub mod action_form;
pub mod alert;
pub mod audit;
pub mod bundle;
pub mod capability;
#[cfg(feature = "ssr")]
pub mod chain;
pub mod clause;
pub mod decision;
#[cfg(feature = "ssr")]
pub mod delivery;
pub mod editor;
pub mod flash;
pub mod frame;
pub mod group;
#[cfg(feature = "ssr")]
pub mod hosted_form;
pub mod inbox;
pub mod invitation;
pub mod key;
pub mod member;
pub mod names;
pub mod outcome;
pub mod overview;
pub mod policy;
pub mod policy_form;
pub mod preference;
pub mod provenance;
pub mod query;
pub mod receipt;
pub mod review;
pub mod review_record;
pub mod rule;
pub mod settings;
#[cfg(feature = "ssr")]
pub mod trust;
pub mod try_decision;
pub mod verify;
pub mod version;
pub mod version_actions;
#[cfg(feature = "ssr")]
pub mod webhook;

/// The value of a ticked checkbox in a form.
pub const TICKED: &str = "yes";
