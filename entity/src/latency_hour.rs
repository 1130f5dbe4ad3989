//! Hourly counts of evaluation times on a logarithmic scale.

use sea_orm::entity::prelude::*;

table! {
    /// The decisions of one hour whose evaluation time is in one step.
    "latency_hours" [
        tenant_id: Uuid,
        hour: DateTimeUtc,
        /// Step n contains times up to 0.001 ms · 2^(n/8).
        step: i16,
    ] TenantOwned {
        pub decisions: i64,
    }
}
