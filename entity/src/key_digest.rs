//! What the door knows of an API key, before any tenant is known.

use sea_orm::entity::prelude::*;

/// An API key, found by its digest.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "key_digests")]
pub struct Model {
    /// HMAC-SHA-256 of the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    /// Its tenant.
    pub tenant_id: Uuid,
    /// Its record.
    pub api_key_id: Uuid,
    /// Its name.
    pub key_name: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// The person it acts for.
    pub owner: Option<Uuid>,
    /// From then on it is refused.
    pub expires_at: Option<DateTimeUtc>,
    /// From then on it is refused.
    pub revoked_at: Option<DateTimeUtc>,
}

table!();
