//! Hourly counts of evaluations for each rule.

use sea_orm::entity::prelude::*;

/// The evaluations of a rule in an hour.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rule_hours")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The start of the hour.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    /// The policy.
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    /// The version.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The rule.
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule_code: String,
    /// Whether the policy was in shadow mode.
    #[sea_orm(primary_key, auto_increment = false)]
    pub is_shadow: bool,
    /// How often the rule was evaluated.
    pub evaluated: i64,
    /// How often it was violated.
    pub violated: i64,
    /// How often it was not applicable.
    pub na: i64,
    /// How many decisions with a violation have an outcome.
    pub outcomes: i64,
    /// How many of those outcomes are `overridden`.
    pub overridden: i64,
}

table!(TenantOwned);
