#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_cmp
)]

mod bit_set;
mod byte_budget;
mod context_values;
mod date_span;
mod elements;
mod evaluation;
mod field;
pub mod form;
mod gate;
mod gate_trace;
mod index;
mod input;
mod member;
mod not_applicable;
pub mod parse;
mod pattern;
mod program;
mod reason;
mod rule;
mod scalar_set;
mod verdict;

pub use byte_budget::{RESULT_BYTES_MAX, ResultTooLarge};
pub use evaluation::{Evaluation, evaluate};
pub use gate_trace::GateTrace;
pub use input::{Evidence, Input};
pub use program::{CompileError, PolicyRules, Program};
pub use verdict::{verdict_of, worst_violation};
