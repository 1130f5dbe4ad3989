//! Hourly counts of evaluation times on a logarithmic scale.

use sea_orm::entity::prelude::*;

/// The decisions of one hour whose evaluation time is in one step.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "latency_hours")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    /// Step n contains times up to 0.001 ms · 2^(n/8).
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: i16,
    pub decisions: i64,
}

table!(TenantOwned);
