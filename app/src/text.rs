//! What the console says: every word of it, and how values become words.

pub mod curl;
pub(crate) mod help;
pub mod json;
pub mod number;
pub mod refusal;
pub mod rule;
pub mod sentence;
pub mod time;
pub mod url;
pub mod verdict;
pub(crate) mod words;

#[cfg(test)]
mod contrast;
mod gate;
