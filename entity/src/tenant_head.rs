//! The counters of a tenant, and the end of its audit chain.

use sea_orm::entity::prelude::*;

/// A tenant's head: locked last, it gives out the tenant's numbers.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenant_heads")]
pub struct Model {
    /// The tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// Number of the last audit event; 0 before the first.
    pub audit_seq: i64,
    /// Its hash; empty before the first.
    pub audit_hash: String,
    /// Grows with every change of what is in force.
    pub activation_counter: i64,
    /// Salts the digests of e-mail addresses; hex.
    pub email_salt: String,
    /// Salts the tag that stands for the tenant in a checkpoint of its audit log; hex.
    pub audit_salt: String,
    /// The tenants above it, nearest first.
    pub ancestors: Vec<Uuid>,
}

table!();
