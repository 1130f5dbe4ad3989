//! Operator keys. They belong to no tenant, because they create tenants.

use sea_orm::entity::prelude::*;

/// An operator key, identified by its digest.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "operator_keys")]
pub struct Model {
    /// HMAC-SHA-256 of the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    pub id: Uuid,
    pub name: String,
    /// The first and last characters of the key.
    pub key_preview: String,
    pub created_at: DateTimeUtc,
    pub revoked_at: Option<DateTimeUtc>,
}

table!();
