//! The audit log of each tenant. Append-only.

use sea_orm::entity::prelude::*;

table! {
    /// One event: its hashed bytes, and columns for searching.
    "audit_events" [
        tenant_id: Uuid,
        /// The position in the audit log; gap-free, from 1.
        seq: i64,
    ] TenantOwned {
        pub event_id: Uuid,
        pub occurred_at: DateTimeUtc,
        pub action: String,
        /// `human`, `api_key`, `capability` or `system`.
        pub actor_type: String,
        pub actor_id: String,
        pub object_type: String,
        pub object_id: String,
        /// The canonical event (receipts, section 14).
        pub event: String,
        /// The hash of `event`.
        pub hash: Vec<u8>,
        /// The hash of the previous event; empty at the start.
        pub prev: Vec<u8>,
    }
}
