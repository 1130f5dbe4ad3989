//! Authentication, sessions, keys, accounts, their mail, members and permissions.

pub mod account;
pub(crate) mod account_link;
pub mod api_key;
pub mod attempts;
pub(crate) mod audit_logs;
pub(crate) mod auth;
pub(crate) mod authorization;
pub mod cli_login;
pub mod mail;
pub mod member;
pub(crate) mod membership;
pub mod oidc;
pub mod operator;
pub(crate) mod password;
pub mod permission;
pub(crate) mod removal;
pub mod second_factor;
pub mod session;
pub mod sign_in;
mod single_use;
pub(crate) mod time_zone;
