//! Which policies a snapshot holds: the way from a policy to its decisions. Append-only; the
//! database writes it with the snapshot.

use sea_orm::entity::prelude::*;

/// One policy of one snapshot.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "snapshot_policies")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The policy.
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    /// The version in force.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The snapshot.
    #[sea_orm(primary_key, auto_increment = false)]
    pub snapshot_id: Uuid,
}

table!(TenantOwned);
