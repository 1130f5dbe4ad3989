//! The audit log of each tenant. Append-only.

use sea_orm::entity::prelude::*;

/// One event: its hashed bytes, and columns for searching.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_events")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The position in the audit log; gap-free, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    pub event_id: Uuid,
    pub occurred_at: DateTimeUtc,
    pub action: String,
    /// `human`, `api_key`, `capability` or `system`.
    pub actor_type: String,
    pub actor_id: String,
    pub object_type: String,
    pub object_id: String,
    /// The canonical event (receipts, section 14).
    pub event: String,
    /// The hash of `event`.
    pub hash: Vec<u8>,
    /// The hash of the previous event; empty at the start.
    pub prev: Vec<u8>,
}

table!(TenantOwned);
