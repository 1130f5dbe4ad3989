//! Tests of the engine: examples, properties and a comparison with a naive evaluator.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed test panics")]

mod author;
mod cases;
mod fixtures;
mod forms;
mod generate;
mod limits;
mod naive;
mod patterns;
mod properties;
mod reference;
