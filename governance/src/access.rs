//! Authentication, sessions, keys, accounts, members and permissions.

pub mod account;
pub mod api_key;
pub mod attempts;
pub(crate) mod auth;
mod authorization;
pub mod member;
pub mod operator;
pub(crate) mod password;
pub mod permission;
pub mod session;
