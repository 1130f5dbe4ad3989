//! The clauses that rules were written from.

pub mod markup;
pub mod view;
pub mod words;
