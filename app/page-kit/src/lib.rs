#![doc = include_str!("../README.md")]
#![expect(
    missing_debug_implementations,
    reason = "properties of components contain functions and views"
)]
#![expect(
    clippy::return_self_not_must_use,
    reason = "a list or a table that is not rendered is unused, which is a warning"
)]
#![expect(clippy::result_unit_err, reason = "the caller names the field in the error")]
#![recursion_limit = "256"]

pub mod list;
pub mod names;
pub mod page;
pub mod prelude;
pub mod request;
pub mod text;
pub mod ui;
