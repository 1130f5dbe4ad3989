//! Hourly counts of evaluations per rule.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rule_hours")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule_code: String,
    /// Whether the policy was in shadow mode.
    #[sea_orm(primary_key, auto_increment = false)]
    pub is_shadow: bool,
    pub evaluated: i64,
    pub violated: i64,
    /// The number of evaluations in which the rule did not apply.
    pub na: i64,
    /// The number of decisions with a violation of the rule that have an outcome.
    pub outcomes: i64,
    /// The number of those outcomes that are `overridden`.
    pub overridden: i64,
}

table!(TenantOwned);
