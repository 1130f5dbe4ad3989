//! Policy snapshots, content-addressed. Append-only.

use sea_orm::entity::prelude::*;

/// The set of policies that a decision was evaluated with.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_snapshots")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Digest of `body`; unique in the tenant.
    pub digest: String,
    /// The canonical snapshot (receipts, section 3.2).
    pub body: String,
    /// Digest of the active rules (receipts, section 3.3).
    pub evaluated_rules_hash: String,
    pub created_at: DateTimeUtc,
}

table!(TenantOwned, HasId);
