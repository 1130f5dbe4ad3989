//! Components of the pages.

pub(crate) use kit::ui::{badge, code, copy, facts, icon, inline_code, note, sentence};

pub(crate) mod action_menu;
pub(crate) mod bdi;
pub(crate) mod brand;
pub(crate) mod chart;
pub(crate) mod create_form;
pub(crate) mod empty;
pub(crate) mod field;
pub(crate) mod font;
pub(crate) mod form_errors;
pub(crate) mod heading;
pub(crate) mod initials;
pub(crate) mod live;
pub(crate) mod live_words;
pub(crate) mod one_time_secret;
pub(crate) mod panel;
pub(crate) mod problem;
pub(crate) mod public;
pub(crate) mod qr_code;
pub(crate) mod quote;
pub(crate) mod stamp;
pub(crate) mod tabs;
pub(crate) mod time;
