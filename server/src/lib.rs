#![doc = include_str!("../README.md")]

pub mod command;
pub mod config;
pub mod console;
pub mod database;
pub mod edge;
pub mod first_run;
pub mod key_file;
pub mod router;
pub mod state;
pub mod v1;
