//! What the door knows of an operator's key. It belongs to no tenant: it makes them.

use sea_orm::entity::prelude::*;

/// An operator's key, found by its digest.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "operator_keys")]
pub struct Model {
    /// HMAC-SHA-256 of the key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    /// The id.
    pub id: Uuid,
    /// What people call it.
    pub name: String,
    /// Its first and last characters.
    pub key_preview: String,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// From then on it is refused.
    pub revoked_at: Option<DateTimeUtc>,
}

table!();
