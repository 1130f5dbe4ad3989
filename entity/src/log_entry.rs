//! Entries of the transparency log. Append-only.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log_entries")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tree: i16,
    /// The index in the tree, from 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub index: i64,
    /// The leaf data as canonical JSON.
    pub data: String,
    /// The leaf hash, 32 bytes.
    pub leaf_hash: Vec<u8>,
}

table!();
