//! Hourly counts of decisions, derived from the decisions.

use sea_orm::entity::prelude::*;

table! {
    /// The decisions of one hour with one verdict.
    "decision_hours" [
        tenant_id: Uuid,
        hour: DateTimeUtc,
        decision: String,
        /// Whether all evaluated policies were in shadow mode.
        is_shadow: bool,
    ] TenantOwned {
        pub decisions: i64,
    }
}
