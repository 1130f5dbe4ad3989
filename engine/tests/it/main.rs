//! The engine, by example, by law and by comparison with a naive evaluator.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where it is wrong")]

mod author;
mod cases;
mod forms;
mod generate;
mod given;
mod laws;
mod naive;
mod reference;
