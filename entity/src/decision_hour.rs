//! Hourly counts of decisions, derived from the decisions themselves.

use sea_orm::entity::prelude::*;

/// The decisions of an hour with one verdict.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "decision_hours")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The start of the hour.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    /// The verdict.
    #[sea_orm(primary_key, auto_increment = false)]
    pub decision: String,
    /// Whether all evaluated policies were in shadow mode.
    #[sea_orm(primary_key, auto_increment = false)]
    pub is_shadow: bool,
    /// How many decisions.
    pub decisions: i64,
}

table!(TenantOwned);
