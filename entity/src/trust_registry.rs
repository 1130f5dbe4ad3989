//! Versions of the trust registry. Append-only; they belong to no tenant.

use sea_orm::entity::prelude::*;

/// A version of the registry.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "trust_registries")]
pub struct Model {
    /// The version, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The signed envelope.
    pub envelope: String,
    /// The digest of its payload.
    pub digest: String,
}

table!();
