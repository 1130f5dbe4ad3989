//! Seals of decision chains. Append-only.

use sea_orm::entity::prelude::*;

table! {
    "chain_seals" [tenant_id: Uuid, chain_id: Uuid] TenantOwned {
        /// The signed seal as canonical JSON.
        pub seal: String,
        /// The digest of `seal`.
        pub digest: String,
        /// Absent if the service does not sign.
        pub signature: Option<String>,
        pub kid: Option<String>,
        pub sealed_at: DateTimeUtc,
    }
}
