//! Challenges that passkeys and identity providers have answered, until they expire.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "used_challenges")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub challenge: Vec<u8>,
    pub expires_at: DateTimeUtc,
}

table!();
