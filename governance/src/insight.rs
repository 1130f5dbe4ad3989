//! Rollups, the overview and the inbox.

pub mod inbox;
pub mod rollup;
