//! Components shared by the pages.

pub(crate) mod badge;
pub(crate) mod clause;
pub(crate) mod code;
pub(crate) mod copy;
pub(crate) mod data_attributes;
pub(crate) mod empty;
pub(crate) mod field;
pub(crate) mod form;
pub(crate) mod form_errors;
pub(crate) mod frame;
pub(crate) mod heading;
#[cfg(feature = "ssr")]
pub(crate) mod invitations;
pub(crate) mod live;
pub(crate) mod load;
pub(crate) mod menu;
pub(crate) mod one_time_secret;
pub(crate) mod params;
pub(crate) mod problem;
pub(crate) mod public;
pub(crate) mod rule;
pub(crate) mod sentence;
pub(crate) mod shortcuts;
pub(crate) mod time;
pub(crate) mod version;
