//! Decision chains: recording, listing, verification and seals.

mod adjacent;
mod check;
mod head;
mod list;
mod seal;
mod stored_seal;

pub use self::{
    adjacent::{AdjacentSteps, Step, adjacent_steps},
    check::{read, verify},
    list::{list, window},
    seal::{ChainSealResult, read_seal, seal},
};
pub(crate) use self::{
    check::{load_and_check, owner},
    head::{Head, Link, LinkPosition, append},
    stored_seal::Seal,
};
