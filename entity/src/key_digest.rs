//! API key digests, readable before the tenant of a request is known.

use sea_orm::entity::prelude::*;

/// An API key, identified by its digest.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "key_digests")]
pub struct Model {
    /// HMAC-SHA-256 of the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    pub tenant_id: Uuid,
    pub api_key_id: Uuid,
    pub key_name: String,
    pub scopes: Vec<String>,
    /// The user for whom the key acts.
    pub owner: Option<Uuid>,
    pub expires_at: Option<DateTimeUtc>,
    pub revoked_at: Option<DateTimeUtc>,
}

table!();
