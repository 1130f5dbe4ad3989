//! The HTTP edge: everything between the socket and a use case.

pub mod access;
pub mod correlation;
pub mod error;
pub mod extract;
pub mod listen;
pub mod origin;
pub mod phase;
pub mod starting;
