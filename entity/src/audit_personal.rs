//! What of a person stands beside an audit event, and may be erased.

use sea_orm::entity::prelude::*;

/// The erasable side of an audit event.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_personal")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The event.
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i64,
    /// Canonical `{"data", "salt"}` (receipts, section 14).
    pub personal: String,
    /// `data.email` of it, made by the database.
    pub email: Option<String>,
}

table!(TenantOwned);
