//! Checkpoints of the audit chain of each tenant. Append-only.

use sea_orm::entity::prelude::*;

/// One checkpoint: the end of the chain at some moment.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_checkpoints")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The last event that it covers.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    /// The hash of that event.
    pub hash: String,
}

table!(TenantOwned);
