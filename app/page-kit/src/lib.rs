#![doc = include_str!("../README.md")]
#![expect(
    missing_debug_implementations,
    reason = "properties of components contain functions and views"
)]
#![recursion_limit = "256"]

pub mod list;
pub mod names;
pub mod page;
pub mod prelude;
pub mod request;
pub mod text;
pub mod ui;
