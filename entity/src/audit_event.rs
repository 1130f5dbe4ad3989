//! The audit chain of each tenant. Append-only.

use sea_orm::entity::prelude::*;

/// One event: its hashed bytes, and columns to find them by.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_events")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// Its place in the tenant's chain; dense, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    /// The id.
    pub event_id: Uuid,
    /// When it happened.
    pub occurred_at: DateTimeUtc,
    /// What was done.
    pub action: String,
    /// `human`, `api_key`, `capability` or `system`.
    pub actor_type: String,
    /// Who did it.
    pub actor_id: String,
    /// What kind of thing it was done to.
    pub object_type: String,
    /// Which.
    pub object_id: String,
    /// The canonical event (receipts, section 14).
    pub event: String,
    /// Its hash.
    pub hash: String,
    /// The hash before; empty at the start.
    pub prev: String,
}

table!(TenantOwned);
