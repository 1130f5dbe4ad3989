//! The clauses that rules were written from.

pub(crate) mod markup;
pub(crate) mod view;
pub(crate) mod words;
