//! Rollups, the overview, the inbox, search, and the parts of lists.

pub mod alert_list;
pub mod inbox;
pub mod rollup;
pub mod search;
