//! Heads of decision chains: one row per chain, locked by the transaction that appends a link.

use sea_orm::entity::prelude::*;

table! {
    "chains" [
        tenant_id: Uuid,
        /// The ID, chosen by the caller.
        id: Uuid,
    ] TenantOwned, HasId {
        pub links: i32,
        /// The hash of the last link; empty before the first.
        pub head: String,
        /// The highest step so far; 0 before the first.
        pub highest_step: i32,
        /// Whether the chain is closed to further links.
        pub is_sealed: bool,
    }
}
