//! The accounts of the subjects of identity providers.

use sea_orm::entity::prelude::*;

table! {
    "identities" [
        tenant_id: Uuid,
        provider_id: Uuid,
        /// The `sub` claim.
        subject: String,
    ] TenantOwned {
        pub user_id: Uuid,
        pub created_at: DateTimeUtc,
    }
}
