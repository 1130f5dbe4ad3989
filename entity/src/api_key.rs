//! API keys. The digest of the secret is in `key_digest`.

use contract::api_key::ApiKey;
use sea_orm::entity::prelude::*;

use crate::column::from_column;

table! {
    /// An API key without its secret.
    "api_keys" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId, HasSequence {
        pub name: String,
        /// The first and last characters of the key.
        pub key_preview: String,
        pub scopes: Vec<String>,
        pub expires_at: Option<DateTimeUtc>,
        /// The time of the last use, written later in the background.
        pub last_used_at: Option<DateTimeUtc>,
        pub is_active: bool,
        pub created_at: DateTimeUtc,
        pub created_by: Option<String>,
        pub revoked_at: Option<DateTimeUtc>,
        pub revoked_by: Option<String>,
        pub sequence: i64,
        /// The user for whom the key acts; absent for keys created on the command line before owners
        /// were required.
        pub owner: Option<Uuid>,
        /// The key that created this key.
        pub parent_key_id: Option<Uuid>,
    }
}

impl From<Model> for ApiKey {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            name: row.name,
            key_preview: row.key_preview,
            scopes: row.scopes.iter().filter_map(|scope| scope.parse().ok()).collect(),
            expires_at: row.expires_at.map(from_column),
            last_used_at: row.last_used_at.map(from_column),
            is_active: row.is_active,
            created_at: from_column(row.created_at),
            created_by: row.created_by,
            revoked_at: row.revoked_at.map(from_column),
            revoked_by: row.revoked_by,
        }
    }
}
