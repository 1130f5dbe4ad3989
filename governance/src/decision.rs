//! Decisions: evaluated as a dry run, or recorded exactly once.

mod evaluate;
mod read;
mod record;

pub use evaluate::evaluate;
pub use read::{list, read, receipt};
pub use record::{Outcome, record};
