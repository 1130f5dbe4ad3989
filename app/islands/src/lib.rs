#![doc = include_str!("../README.md")]
#![expect(unreachable_pub, reason = "the `component` macro generates `pub` items")]
#![recursion_limit = "256"]

#[cfg(all(feature = "ssr", feature = "hydrate"))]
compile_error!("enable either `ssr` (server) or `hydrate` (browser), not both");

pub mod editor;
pub mod explanation;
mod prelude;
pub mod rule;
pub mod try_decision;
pub mod verify;

#[cfg(feature = "ssr")]
use kit::request;
use kit::{codec, problem, text, ui};
