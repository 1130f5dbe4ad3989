//! Hourly counts of decisions per policy version.

use sea_orm::entity::prelude::*;

/// The decisions of one hour that were evaluated with one policy version.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_hours")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub decision: String,
    /// Whether the policy was in shadow mode.
    #[sea_orm(primary_key, auto_increment = false)]
    pub is_shadow: bool,
    pub decisions: i64,
}

table!(TenantOwned);
