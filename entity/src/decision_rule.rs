//! The rules that each decision violates, for finding decisions by rule. Append-only; `record_group` inserts them.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "decision_rules")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule_code: String,
    /// The sequence number of the decision.
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    /// The snapshot of the decision, which names its policies.
    pub snapshot_id: Uuid,
}

table!(TenantOwned);
