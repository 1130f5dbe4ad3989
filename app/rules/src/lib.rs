#![doc = include_str!("../README.md")]
#![expect(
    missing_debug_implementations,
    reason = "properties of views contain functions and views"
)]
#![recursion_limit = "256"]

pub mod clause;
pub mod provenance;
pub mod rule;
