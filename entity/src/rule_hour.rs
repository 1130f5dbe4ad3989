//! Hourly counts of evaluations per rule.

use sea_orm::entity::prelude::*;

table! {
    "rule_hours" [
        tenant_id: Uuid,
        hour: DateTimeUtc,
        policy_id: Uuid,
        version: i32,
        rule_code: String,
        /// Whether the policy was in shadow mode.
        is_shadow: bool,
    ] TenantOwned {
        pub evaluated: i64,
        pub violated: i64,
        /// The number of evaluations in which the rule did not apply.
        pub na: i64,
        /// The number of decisions with a violation of the rule that have an outcome.
        pub outcomes: i64,
        /// The number of those outcomes that are `overridden`.
        pub overridden: i64,
    }
}
