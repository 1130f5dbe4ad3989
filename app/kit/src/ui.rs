//! Components that pages and islands share.

pub mod badge;
pub mod code;
pub mod copy;
pub mod facts;
pub mod field;
pub mod icon;
pub mod inline_code;
pub mod note;
pub mod problem;
pub mod sentence;
pub mod time;
