//! Policy snapshots, content-addressed. Append-only.

use sea_orm::entity::prelude::*;

table! {
    /// The set of policies that a decision was evaluated with.
    "policy_snapshots" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId {
        /// Digest of `body`; unique in the tenant.
        pub digest: String,
        /// The canonical snapshot (receipts, section 3.2).
        pub body: String,
        /// Digest of the active rules (receipts, section 3.3).
        pub evaluated_rules_hash: String,
        pub created_at: DateTimeUtc,
    }
}
