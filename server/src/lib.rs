#![doc = include_str!("../README.md")]

mod api;
pub mod background;
pub mod command;
pub mod config;
pub mod console;
mod docs;
pub mod edge;
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
pub mod security_txt;
pub mod state;
pub mod traces;
pub mod trust_startup;
pub mod v1;
pub mod webhook;
