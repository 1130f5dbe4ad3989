//! Audit checkpoints of each tenant. Append-only.

use sea_orm::entity::prelude::*;

table! {
    "audit_checkpoints" [
        tenant_id: Uuid,
        /// The last event that the checkpoint covers.
        seq: i64,
    ] TenantOwned {
        /// The hash of this event.
        pub hash: Vec<u8>,
    }
}
