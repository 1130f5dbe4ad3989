//! Identity providers of tenants.

use contract::scope::Role;
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

table! {
    /// An identity provider with its encrypted client secret.
    "identity_providers" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId, HasSequence {
        /// The position in the tenant's list.
        pub sequence: i64,
        pub name: String,
        pub issuer: String,
        pub client_id: String,
        /// The encrypted client secret; absent for a client that uses only PKCE.
        pub client_secret: Option<Vec<u8>>,
        /// The version of the encryption key of `client_secret`.
        pub client_secret_key: Option<i32>,
        pub scopes: Vec<String>,
        pub email_domains: Vec<String>,
        pub trusts_email_domains: bool,
        pub role_claim: Option<String>,
        /// The values of the role claim, in the order in which they apply.
        pub mapped_values: Vec<String>,
        /// The role of each mapped value.
        pub mapped_roles: Vec<String>,
        pub default_role: Option<TextEnum<Role>>,
        pub is_enabled: bool,
        pub created_at: DateTimeUtc,
        pub updated_at: DateTimeUtc,
    }
}
