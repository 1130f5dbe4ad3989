//! Forms: the questions that a policy's rules lead to, and answers held against questions.

mod check;
mod draw;

pub use self::{
    check::{check, refuse_patterns},
    draw::draw,
};
