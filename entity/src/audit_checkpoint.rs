//! Checkpoints of the audit chain of each tenant. Append-only.

use sea_orm::entity::prelude::*;

use crate::tenant::TenantOwned;

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

/// None: rows meet in SQL.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TenantOwned for Entity {
    const TENANT_ID: Column = Column::TenantId;
}
