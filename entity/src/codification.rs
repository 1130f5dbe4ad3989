//! Codifications and their records, one row per draft revision that changes them. Append-only.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "codifications")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub draft_revision: i32,
    /// The codification as submitted; absent if the revision removed it.
    pub block: Option<String>,
    pub record: Option<String>,
    pub created_at: DateTimeUtc,
}

table!(TenantOwned);
