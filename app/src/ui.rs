//! The parts that pages are built from.

pub(crate) mod badge;
#[cfg(feature = "ssr")]
pub(crate) mod chart;
pub(crate) mod clause;
pub(crate) mod code;
pub(crate) mod copy;
pub(crate) mod empty;
pub(crate) mod faults;
pub(crate) mod field;
pub(crate) mod form;
pub(crate) mod frame;
pub(crate) mod heading;
pub(crate) mod icon;
pub(crate) mod keys;
pub(crate) mod live;
pub(crate) mod load;
pub(crate) mod menu;
pub(crate) mod problem;
pub(crate) mod public;
pub(crate) mod quoted;
pub(crate) mod rule;
pub(crate) mod sentence;
pub(crate) mod shown_once;
pub(crate) mod time;
pub(crate) mod wherever;
