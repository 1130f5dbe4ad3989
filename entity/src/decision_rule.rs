//! Which rules a decision violates: the way from a rule to its decisions. Append-only; the database
//! writes it with the decision.

use sea_orm::entity::prelude::*;

/// One rule that one decision violates.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "decision_rules")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The rule.
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule_code: String,
    /// The decision, by its place in the tenant's sequence.
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    /// The snapshot of the decision: which policies it looked at.
    pub snapshot_id: Uuid,
}

table!(TenantOwned);
