//! Rollups, the overview, the inbox and search.

pub mod inbox;
pub mod rollup;
pub mod search;
