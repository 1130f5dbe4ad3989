//! Views over many objects: rollups, the overview, the inbox and search. They change nothing but their own
//! counters.
//!
//! Rollups count decisions by hour, policy, version and rule. They follow the sequence of the tenant with a
//! cursor, so a page counts what was recorded since the last one and then reads sums instead of decisions. A
//! rollup that is behind says so.
//!
//! The inbox lists what needs the signed-in user: versions to review, ratify or activate, mentions, and
//! assigned alerts. What a version needs follows from its stored events by one function
//! (`inbox::requested_action`), which the counts of every page use too. Search finds objects by folded text
//! and by ID.
//!
//! - Each page reads all its figures with one statement, of one state of the database. So figures of a page
//!   agree.
//! - No statement reads or sorts the history of a tenant; lists and counts have limits.
//! - A figure counts only what the caller could also list.

pub mod inbox;
pub mod rollup;
pub mod search;
