//! Codifications and their records, one row per draft revision that changes them. Append-only.

use sea_orm::entity::prelude::*;

table! {
    "codifications" [tenant_id: Uuid, policy_id: Uuid, version: i32, draft_revision: i32] TenantOwned {
        /// The codification as submitted; absent if the revision removed it.
        pub block: Option<String>,
        pub record: Option<String>,
        pub created_at: DateTimeUtc,
    }
}
