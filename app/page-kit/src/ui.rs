//! Components of the pages.

pub use kit::ui::{badge, code, copy, facts, icon, inline_code, note, sentence};

pub mod action_menu;
pub mod bdi;
pub mod brand;
pub mod chart;
pub mod create_form;
pub mod empty;
pub mod field;
pub mod font;
pub mod form_errors;
pub mod heading;
pub mod initials;
pub mod live;
pub mod live_words;
pub mod one_time_secret;
pub mod panel;
pub mod problem;
pub mod public;
pub mod qr_code;
pub mod quote;
pub mod stamp;
pub mod tabs;
pub mod time;
