//! Hourly counts of decisions per policy version.

use sea_orm::entity::prelude::*;

table! {
    /// The decisions of one hour that were evaluated with one policy version.
    "policy_hours" [
        tenant_id: Uuid,
        policy_id: Uuid,
        hour: DateTimeUtc,
        version: i32,
        decision: String,
        /// Whether the policy was in shadow mode.
        is_shadow: bool,
    ] TenantOwned {
        pub decisions: i64,
    }
}
