//! Hashes of complete subtrees of 256 entries and more. Append-only.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log_nodes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tree: i16,
    /// The tile level, 1 to 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub level: i16,
    /// The index on the level, from 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub index: i64,
    /// The hash, 32 bytes.
    pub hash: Vec<u8>,
}

table!();
