//! Form tokens, stored as digests.

use sea_orm::entity::prelude::*;

table! {
    "form_tokens" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId {
        pub form_id: Uuid,
        /// HMAC-SHA-256 of the token, keyed with the pepper.
        pub digest: Vec<u8>,
        /// The maximum number of submissions; absent means unlimited.
        pub max_uses: Option<i32>,
        /// The number of submissions with the token.
        pub uses: i32,
        pub expires_at: Option<DateTimeUtc>,
        pub created_at: DateTimeUtc,
        pub created_by: Option<String>,
        pub revoked_at: Option<DateTimeUtc>,
    }
}
