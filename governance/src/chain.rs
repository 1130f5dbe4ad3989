//! Chains of decisions: recorded under one head, listed, checked by anyone, and sealed.

mod check;
mod head;
mod list;
mod seal;
mod turns;

pub use self::{
    check::verify,
    list::list,
    seal::{Sealing, read_seal, seal},
};
pub(crate) use self::{
    head::{Head, Place, append},
    turns::Turns,
};
