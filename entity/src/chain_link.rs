//! Links of decision chains. Append-only.

use sea_orm::entity::prelude::*;

table! {
    /// A link of a chain: its canonical bytes, hash and signature.
    "chain_links" [
        tenant_id: Uuid,
        chain_id: Uuid,
        /// The position in recording order, from 1.
        position: i32,
    ] TenantOwned {
        /// The step named in the statement.
        pub step: i32,
        pub decision_id: Uuid,
        /// The sequence number of the decision.
        pub sequence: i64,
        /// The signed link as canonical JSON.
        pub link: String,
        /// The hash of `link`.
        pub hash: String,
        /// The hash of the previous link; empty at position 1.
        pub prev: String,
        /// Absent if the service does not sign.
        pub signature: Option<String>,
        pub kid: Option<String>,
    }
}
