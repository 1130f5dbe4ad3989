//! What the pages show, as plain structs: made on the server, carried to the browser, tested without
//! either.

pub mod account;
pub mod acts;
pub mod alert;
pub mod audit;
pub mod bundle;
pub mod capability;
pub mod clause;
pub mod decision;
#[cfg(feature = "ssr")]
pub mod delivery;
pub mod editor;
pub mod form;
pub mod frame;
pub mod group;
#[cfg(feature = "ssr")]
pub mod hosted;
pub mod inbox;
pub mod kept;
pub mod key;
pub mod lineage;
pub mod member;
pub mod outcome;
pub mod overview;
pub mod people;
pub mod policy;
pub mod policy_form;
pub mod query;
pub mod receipt;
pub mod review;
pub mod settings;
pub mod tried;
pub mod verify;
pub mod version;
#[cfg(feature = "ssr")]
pub mod webhook;
