//! Unused recovery codes of accounts.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "recovery_codes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// HMAC-SHA-256 of the code.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    pub created_at: DateTimeUtc,
}

table!();
