#![doc = include_str!("../README.md")]
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

pub mod author;
mod bits;
mod evaluation;
mod facts;
mod field;
mod fold;
pub mod form;
mod gate;
mod index;
mod input;
mod member;
mod moment;
mod program;
mod reason;
mod refusal;
mod report;
mod rule;
mod scalars;
mod verdict;

pub use evaluation::{Evaluation, evaluate};
pub use input::{Evidence, Input};
pub use program::{CompileError, PolicyRules, Program};
pub use verdict::verdict_of;
