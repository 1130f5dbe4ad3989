//! `/v1`: handlers of three steps each: extract, call, wrap.

pub mod audit;
pub mod decisions;
pub mod export;
pub mod groups;
pub mod health;
pub mod policies;
pub mod public;
pub mod session;
pub mod snapshots;
pub mod versions;
