//! Hourly counts of decisions, derived from the decisions.

use sea_orm::entity::prelude::*;

/// The decisions of one hour with one verdict.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "decision_hours")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    #[sea_orm(primary_key, auto_increment = false)]
    pub decision: String,
    /// Whether all evaluated policies were in shadow mode.
    #[sea_orm(primary_key, auto_increment = false)]
    pub is_shadow: bool,
    pub decisions: i64,
}

table!(TenantOwned);
