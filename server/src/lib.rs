#![doc = include_str!("../README.md")]

// The attributes of all handlers.
#[macro_use]
extern crate endpoint_macro;

mod api;
mod authzen;
pub mod background;
pub mod backup;
pub mod command;
pub mod config;
pub mod console;
mod docs;
pub mod doctor;
pub mod edge;
pub mod endpoint;
pub mod first_run;
pub mod key_file;
pub mod keys;
pub mod lint_provider;
pub mod logging;
pub mod mail;
pub mod metrics;
mod openapi;
pub mod outbound;
pub mod provider_client;
pub mod rekor;
pub mod rollback_guard_file;
pub mod router;
mod schemas;
pub mod security_txt;
pub mod settings_file;
pub mod state;
pub mod traces;
pub mod trust_startup;
mod v1;
pub mod webhook;
