#![doc = include_str!("../README.md")]
#![recursion_limit = "256"]

pub mod alert;
pub mod bundle;
pub mod chain;
pub mod decision;
pub mod delivery;
pub mod export;
pub mod hosted_form;
pub mod log;
pub mod outcome;
pub mod receipt;
pub mod trust;
pub mod try_decision;
pub mod verify;
pub mod webhook;
