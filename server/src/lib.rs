#![doc = include_str!("../README.md")]

pub mod answerer;
pub mod command;
pub mod config;
pub mod console;
pub mod database;
mod docs;
pub mod edge;
pub mod first_run;
mod html;
pub mod key_file;
pub mod keys;
pub mod log;
pub mod log_memory;
pub mod mail;
pub mod metrics;
mod openapi;
pub mod outbound;
pub mod registry;
pub mod rekor;
pub mod router;
pub mod security_txt;
pub mod state;
pub mod v1;
pub mod webhook;
pub mod worker;
