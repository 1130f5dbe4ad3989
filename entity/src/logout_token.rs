//! The logout tokens of identity providers that were already used.

use sea_orm::entity::prelude::*;

table! {
    "logout_tokens" [
        tenant_id: Uuid,
        provider_id: Uuid,
        /// The `jti` claim.
        token_id: String,
    ] TenantOwned {
        pub expires_at: DateTimeUtc,
    }
}
