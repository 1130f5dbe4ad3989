//! The rules that each decision violates, for finding decisions by rule. Append-only; `record_group` inserts them.

use sea_orm::entity::prelude::*;

table! {
    "decision_rules" [
        tenant_id: Uuid,
        rule_code: String,
        /// The sequence number of the decision.
        sequence: i64,
    ] TenantOwned {
        /// The snapshot of the decision, which names its policies.
        pub snapshot_id: Uuid,
    }
}
