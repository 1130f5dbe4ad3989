//! Counters of tenants and the ends of their audit logs.

use sea_orm::entity::prelude::*;

table! {
    /// The head row of a tenant. Locked last in a transaction; allocates the tenant's sequence numbers.
    "tenant_heads" [tenant_id: Uuid] {
        /// The sequence number of the last audit event; 0 before the first.
        pub audit_seq: i64,
        /// The hash of the last audit event; empty before the first.
        pub audit_hash: Vec<u8>,
        /// Incremented by changes that invalidate cached snapshots and memberships.
        pub activation_counter: i64,
        /// Salt of email address digests; hex.
        pub email_salt: String,
        /// Salt of the tenant tag in audit checkpoints; hex.
        pub audit_salt: String,
        /// The ancestors of the tenant, nearest first.
        pub ancestors: Vec<Uuid>,
    }
}
