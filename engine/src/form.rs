//! Forms: the questions that a policy's rules lead to, answers held against questions, and such as fit.

mod check;
mod draw;
mod example;

pub use self::{
    check::{check, refuse_patterns},
    draw::draw,
    example::example,
};
