//! Chains of decisions: recorded under one head, listed, checked by anyone, and sealed.

mod check;
mod head;
mod list;
mod neighbours;
mod seal;
mod turns;

pub(crate) use self::{
    check::owner,
    head::{Head, Place, append},
    seal::{Seal, stored as seal_of},
    turns::Turns,
};
pub use self::{
    check::{read, verify},
    list::list,
    neighbours::{Neighbours, Step, neighbours},
    seal::{Sealing, read_seal, seal},
};
