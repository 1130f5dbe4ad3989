//! Heads of decision chains: one row for each chain, locked by whoever adds a link.

use sea_orm::entity::prelude::*;

/// The head of a chain.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "chains")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id that the caller chose.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The number of links.
    pub links: i32,
    /// The hash of the last link; empty before the first.
    pub head: String,
    /// The highest step so far; 0 before the first.
    pub highest_step: i32,
    /// Whether the chain takes no further link.
    pub is_sealed: bool,
}

table!(TenantOwned, Identified);
