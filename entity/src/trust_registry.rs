//! Versions of the trust registry. Append-only; they belong to no tenant.

use sea_orm::entity::prelude::*;

/// A version of the trust registry.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "trust_registries")]
pub struct Model {
    /// The version number, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The signed envelope.
    pub envelope: String,
    /// The digest of the payload of `envelope`.
    pub digest: String,
}

table!();
