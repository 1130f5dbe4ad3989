//! Heads of decision chains: one row per chain, locked by the transaction that appends a link.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "chains")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The ID, chosen by the caller.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub links: i32,
    /// The hash of the last link; empty before the first.
    pub head: String,
    /// The highest step so far; 0 before the first.
    pub highest_step: i32,
    /// Whether the chain is closed to further links.
    pub is_sealed: bool,
}

table!(TenantOwned, HasId);
