//! Audit checkpoints of each tenant. Append-only.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_checkpoints")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The last event that the checkpoint covers.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    /// The hash of this event.
    pub hash: Vec<u8>,
}

table!(TenantOwned);
