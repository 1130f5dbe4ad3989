//! The policies of each snapshot, for finding decisions by policy. Append-only; written by a
//! database trigger on snapshots.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "snapshot_policies")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub snapshot_id: Uuid,
}

table!(TenantOwned);
