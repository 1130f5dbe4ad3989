//! Hourly counts of evaluation times, by steps of a tenth.

use sea_orm::entity::prelude::*;

/// The decisions of an hour whose evaluation time is in one step.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "latency_hours")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The start of the hour.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    /// The step of the logarithmic scale.
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: i16,
    /// How many decisions.
    pub decisions: i64,
}

table!(TenantOwned);
