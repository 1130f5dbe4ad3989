//! Hosted forms: derives fields from rules, validates submitted values and creates example values.

mod check;
mod derive;
mod example;

pub use self::{
    check::{check, check_patterns, published, steps},
    derive::derive_fields,
    example::example,
};
