//! Hourly counts of decisions for each policy version.

use sea_orm::entity::prelude::*;

/// The decisions of an hour that one version of a policy took part in.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_hours")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The policy.
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    /// The start of the hour.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    /// The version.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The verdict.
    #[sea_orm(primary_key, auto_increment = false)]
    pub decision: String,
    /// Whether the policy was in shadow mode.
    #[sea_orm(primary_key, auto_increment = false)]
    pub is_shadow: bool,
    /// How many decisions.
    pub decisions: i64,
}

table!(TenantOwned);
