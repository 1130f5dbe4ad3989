//! Versions of the trust registry. Append-only; they belong to no tenant.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "trust_registries")]
pub struct Model {
    /// From 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    pub envelope: String,
    /// The digest of the payload of `envelope`.
    pub digest: String,
}

table!();
